import { type Id, type LookAhead, type RequestOf, type SweepSummary, sweeps } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

export type SweepRequest = RequestOf<typeof sweeps.start>['body']

const ACTIVE_POLL_MS = 1_000
const IDLE_POLL_MS = 10_000
const all = ['sweeps'] as const

export const sweepQueries = {
  /** Newest first. */
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: async ({ signal }) => (await call(sweeps.list, {}, { signal })).sweeps,
      refetchInterval: ({ state }) => (state.data?.some(isSweepActive) ? ACTIVE_POLL_MS : IDLE_POLL_MS),
      meta: { onFailure: logOnly, isPolled: true },
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: [...all, 'one', id],
      queryFn: ({ signal }) => call(sweeps.get, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data && !isSweepActive(state.data) ? false : ACTIVE_POLL_MS),
      meta: { onFailure: logOnly, isPolled: true },
    }),
}

export function isSweepActive({ status }: Pick<SweepSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

export function useStartSweep(options: CommandOptions<SweepRequest, SweepSummary>): Command<SweepRequest> {
  return useCommand(
    {
      key: ['sweeps', 'start'],
      idempotency: { by: 'request' },
      send: (request, key) => call(sweeps.start, { body: request }, { key }),
      reload: (client) => client.invalidateQueries({ queryKey: all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function useCancelSweep(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: ['sweeps', 'cancel'],
      subject: String,
      send: (id) => call(sweeps.cancel, { params: { id } }),
      reload: (client) => client.invalidateQueries({ queryKey: all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

/** BT-42: changes nothing. */
export function useCheckLookAhead(options: CommandOptions<Id, LookAhead>): Command<Id> {
  return useCommand(
    {
      key: ['sweeps', 'look-ahead'],
      subject: String,
      send: (id) => call(sweeps.lookAhead, { params: { id } }),
    },
    options,
  )
}
