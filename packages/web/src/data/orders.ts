import { type Id, type NewOrder, orders, type ReplyOf } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { type ActOptions, useAct, usePendingIds } from './changes/act.ts'
import { useRepeatKey } from './changes/repeat-key.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000
const PLACE = ['orders', 'place']
const CANCEL = ['orders', 'cancel']

export const orderQueries = {
  all: ['orders'] as const,
  /** The latest, or those placed before the order of this id. */
  list: ({ onFailure, before }: LoadOptions & { before?: string | undefined }) =>
    queryOptions({
      queryKey: [...orderQueries.all, before],
      queryFn: ({ signal }) =>
        call(orders.list, before === undefined ? {} : { query: { cursor: before } }, { signal }),
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

export function usePlaceOrder(options: ActOptions<ReplyOf<typeof orders.place>>) {
  const { ask, beginAnew } = useRepeatKey()
  const send = (order: NewOrder) => ask(order, (key) => call(orders.place, { body: order }, { key }))
  return { ...useAct({ key: PLACE, send, touches: orderQueries.all }, options), beginAnew }
}

export function useCancelOrder(options: ActOptions) {
  const send = (id: Id) => call(orders.cancel, { params: { id } })
  return useAct({ key: CANCEL, send, touches: orderQueries.all }, options)
}

export function useOrdersBeingCancelled() {
  return usePendingIds(CANCEL)
}
