import { type Id, type NewStrategy, type Strategy, strategies } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries } from './capabilities.ts'
import { type ActOptions, useAct, usePendingIds } from './changes/act.ts'
import { useRepeatKey } from './changes/repeat-key.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000
const ADD = ['strategies', 'add']
const CHANGE = ['strategies', 'change']

export const strategyQueries = {
  all: ['strategies'] as const,
  /** Asked again and again only where it is wanted: the specification does not. */
  list: ({ onFailure, isPolled = false }: LoadOptions & { isPolled?: boolean }) =>
    queryOptions({
      queryKey: strategyQueries.all,
      queryFn: async ({ signal }) => (await call(strategies.list, {}, { signal })).strategies,
      refetchInterval: isPolled && POLL_MS,
      meta: { onFailure, isPolled },
    }),
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** What the strategies of a live backend are called, by their ids; the baseline is not asked. */
export function useStrategyNames(): ReadonlyMap<string, string> {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const list = strategyQueries.list({ onFailure: logOnly })
  const { data: names = NO_NAMES } = useQuery({ ...list, enabled: backend?.kind === 'live', select: namesOf })
  return names
}

function namesOf(listed: readonly Strategy[]): ReadonlyMap<string, string> {
  return new Map(listed.map(({ id, name }) => [String(id), name]))
}

export function useAddStrategy(options: ActOptions) {
  const { ask, beginAnew } = useRepeatKey()
  const send = (added: NewStrategy) => ask(added, (key) => call(strategies.add, { body: added }, { key }))
  return { ...useAct({ key: ADD, send, touches: strategyQueries.all }, options), beginAnew }
}

export function useStartStrategy(options: ActOptions) {
  const send = (id: Id) => call(strategies.start, { params: { id } })
  return useAct({ key: CHANGE, send, touches: strategyQueries.all }, options)
}

export function useStopStrategy(options: ActOptions) {
  const send = (id: Id) => call(strategies.stop, { params: { id } })
  return useAct({ key: CHANGE, send, touches: strategyQueries.all }, options)
}

export function useDeleteStrategy(options: ActOptions) {
  const send = (id: Id) => call(strategies.remove, { params: { id } })
  return useAct({ key: CHANGE, send, touches: strategyQueries.all }, options)
}

/** Starting, stopping and deleting share a key: one at a time for each strategy. */
export function useStrategiesBeingChanged() {
  return usePendingIds(CHANGE)
}
