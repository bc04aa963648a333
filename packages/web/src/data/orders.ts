import {
  type Done,
  engine,
  type Id,
  MANUAL_STRATEGY,
  type NewOrder,
  type Order,
  orders,
  type ProblemCode,
  type ReplyOf,
  type RequestOf,
  type RowOutcomes,
  type RowScope,
} from '@binnacle/contract'
import { type QueryClient, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { EMBEDDED } from './engine.ts'
import { ApiError, logOnly } from './failure.ts'
import type { LoadOptions } from './load.ts'
import { streamQueries } from './stream/stream-queries.ts'

const POLL_MS = 5000
/** Loading more takes the browser longer than a few frames. */
const MAX_POLLED_ORDERS = 1_000
/** By which the clock of the server may be behind that of the browser. */
const MAX_CLOCK_SKEW_MS = 60_000
const PLACE = ['orders', 'place']
const CANCEL = ['orders', 'cancel']
const CANCEL_ALL = ['orders', 'cancel-all']
const MODIFY = ['orders', 'modify']

export const orderQueries = {
  all: ['orders'] as const,
  /** The latest page, or the orders placed before the order with this id. */
  list: ({ onFailure, before }: LoadOptions & { before?: string | undefined }) =>
    queryOptions({
      queryKey: [...orderQueries.all, before],
      queryFn: async ({ client, queryKey, signal }): Promise<OrdersReply> => {
        if (before !== undefined) return call(orders.list, { query: { cursor: before } }, { signal })
        if (streamedList(client, queryKey) !== undefined) {
          // Shows that the server answers.
          await call(orders.list, { query: { limit: 1 } }, { signal })
          const list = streamedList(client, queryKey)
          if (list !== undefined) return list
        }
        return call(orders.list, {}, { signal })
      },
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

type OrdersReply = ReplyOf<typeof orders.list>

/** STREAM-52: a long list that the stream holds complete, so that a poll need not load it; undefined if it must. */
function streamedList(client: QueryClient, key: QueryKey): OrdersReply | undefined {
  const list = client.getQueryState<OrdersReply>(key)
  const isLive = client.getQueryData(streamQueries.state().queryKey)?.kind === 'live'
  if (!isLive || list?.data === undefined || list.isInvalidated) return undefined
  return list.data.orders.length > MAX_POLLED_ORDERS ? list.data : undefined
}

/** ORD-68: why an order was placed, and what became of it. */
export function useOrderDetail(id: Id) {
  return useQuery({
    queryKey: [...orderQueries.all, 'detail', String(id)],
    queryFn: ({ signal }) => call(orders.detail, { params: { id } }, { signal }),
    refetchInterval: POLL_MS,
    meta: { onFailure: logOnly },
  })
}

export function usePlaceOrder(
  options: CommandOptions<NewOrder, ReplyOf<typeof orders.place>>,
): Command<NewOrder> {
  return useCommand(
    {
      key: PLACE,
      send: (order, key) => call(orders.place, { body: order }, { key }),
      idempotency: { by: 'list', findListed: findOrders, checkKeySettled: isOrderSettled },
      reload: reloadOrders,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function useCancelOrder(options: CommandOptions<Id, Done>): Command<Id> {
  return useCommand(
    {
      key: CANCEL,
      subject: String,
      send: (id) => call(orders.cancel, { params: { id } }),
      reload: reloadOrders,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface OrderModification {
  id: Id
  change: RequestOf<typeof orders.modify>['body']
}

export function useModifyOrder(
  options: CommandOptions<OrderModification, ReplyOf<typeof orders.modify>>,
): Command<OrderModification> {
  return useCommand(
    {
      key: MODIFY,
      subject: ({ id }) => String(id),
      send: ({ id, change }) => call(orders.modify, { params: { id }, body: change }),
      reload: reloadOrders,
      reloadsAfterFailure: true,
    },
    options,
  )
}

/** ORD-59: a repeated request cancels only what still works. */
export function useCancelAll(options: CommandOptions<RowScope, RowOutcomes>): Command<RowScope> {
  return useCommand(
    {
      key: CANCEL_ALL,
      send: (scope) => call(orders.cancelAll, { body: scope }),
      reload: reloadOrders,
      reloadsAfterFailure: true,
    },
    options,
  )
}

/** ORD-32: in the latest list only, since an older page or the history shows older orders as if they were new. */
function findOrders(client: QueryClient, order: NewOrder, sentAtMs: number): readonly string[] {
  const latest = client.getQueryData<OrdersReply>([...orderQueries.all, undefined])
  return (latest?.orders ?? [])
    .filter((listed) => isManual(listed) && isSameOrder(listed, order))
    .filter(({ created_at: at }) => at === undefined || Date.parse(at) >= sentAtMs - MAX_CLOCK_SKEW_MS)
    .map(({ id }) => String(id))
}

/**
 * ORD-550: a running engine has read its journal to the end, so that an order it does not know was not placed. Of another
 * engine than the embedded one a command may still be on its way to the venue.
 */
async function isOrderSettled(key: string): Promise<boolean> {
  const { is_running: isRunning, engine_type: type } = await call(engine.info, {})
  if (!isRunning || type !== EMBEDDED) return false
  try {
    await call(orders.byKey, { params: { key } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === ('thing.unknown' satisfies ProblemCode))
      return true
    throw error
  }
}

function isManual({ strategy }: Order): boolean {
  return strategy === undefined || strategy === MANUAL_STRATEGY
}

function isSameOrder(listed: Order, order: NewOrder): boolean {
  return (
    listed.instrument === order.instrument &&
    listed.side === order.side &&
    listed.type === order.type &&
    listed.quantity === order.quantity &&
    (order.type === 'MARKET' || listed.price === order.price)
  )
}

function reloadOrders(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: orderQueries.all })
}
