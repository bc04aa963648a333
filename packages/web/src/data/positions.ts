import { type Done, type Id, positions, type RowOutcomes, type RowScope } from '@binnacle/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 3000
const CLOSED_PAGE = 100
const CLOSE = ['positions', 'close']
const CLOSE_PART = ['positions', 'close-part']
const CHANGE_EXITS = ['positions', 'exits']
const CLOSE_ALL = ['positions', 'close-all']

export const positionQueries = {
  all: ['positions'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: positionQueries.all,
      queryFn: async ({ signal }) => (await call(positions.list, {}, { signal })).positions,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

/** POS-24: closed positions with their results, latest first, or those before a row. */
export function useClosedPositions(before: number | undefined, isOffered: boolean) {
  return useQuery({
    queryKey: [...positionQueries.all, 'closed', before],
    queryFn: ({ signal }) =>
      call(
        positions.closed,
        { query: { limit: CLOSED_PAGE, ...(before !== undefined && { cursor: before }) } },
        { signal },
      ),
    refetchInterval: POLL_MS,
    enabled: isOffered,
    meta: { onFailure: logOnly, isPolled: true },
  })
}

export function useClosePosition(options: CommandOptions<Id, Done>): Command<Id> {
  return useCommand(
    {
      key: CLOSE,
      subject: String,
      send: (id) => call(positions.close, { params: { id } }),
      reload: reloadPositions,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface ClosePartRequest {
  id: Id
  quantity: number
}

/** POS-23: keyed, so that a lost answer does not close the part twice. */
export function useClosePart(options: CommandOptions<ClosePartRequest, Done>): Command<ClosePartRequest> {
  return useCommand(
    {
      key: CLOSE_PART,
      subject: ({ id }) => String(id),
      send: ({ id, quantity }, key) => call(positions.close, { params: { id }, body: { quantity } }, { key }),
      idempotency: { by: 'request' },
      reload: reloadPositions,
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface ExitsRequest {
  id: Id
  /** Null removes it, undefined leaves it. */
  stop_loss?: number | null
  take_profit?: number | null
}

/** POS-27 */
export function useChangeExits(options: CommandOptions<ExitsRequest, Done>): Command<ExitsRequest> {
  return useCommand(
    {
      key: CHANGE_EXITS,
      subject: ({ id }) => String(id),
      send: ({ id, ...body }) => call(positions.changeExits, { params: { id }, body }),
      reload: reloadPositions,
      reloadsAfterFailure: true,
    },
    options,
  )
}

/** POS-23 */
export function useCloseAll(options: CommandOptions<RowScope, RowOutcomes>): Command<RowScope> {
  return useCommand(
    {
      key: CLOSE_ALL,
      send: (scope, key) => call(positions.closeAll, { body: scope }, { key }),
      idempotency: { by: 'request' },
      reload: reloadPositions,
      reloadsAfterFailure: true,
    },
    options,
  )
}

function reloadPositions(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: positionQueries.all })
}
