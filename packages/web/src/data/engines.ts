import { type EngineEntry, engines } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import { chosenEngine } from './transport/chosen-engine.ts'

const POLL_MS = 5000
const NONE: readonly EngineEntry[] = []

const listQuery = queryOptions({
  queryKey: ['engines'],
  // Of the first engine: the shown one may not be reachable.
  queryFn: async ({ signal }) => (await call(engines.list, {}, { signal, engine: null })).engines,
  // One engine is shown by the rest of the header.
  refetchInterval: ({ state }) => (state.data?.length === 1 ? false : POLL_MS),
  staleTime: POLL_MS,
  meta: { onFailure: logOnly },
})

/** The engines of the backend; empty while unknown and where it has no list of them. */
export function useEngines(): readonly EngineEntry[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isListed = offers(backend, 'engines') || chosenEngine() !== undefined
  return useQuery({ ...listQuery, enabled: isListed }).data ?? NONE
}

/** Whether the page shows this engine. */
export function isShown({ name, is_default: isDefault }: EngineEntry): boolean {
  const chosen = chosenEngine()
  return chosen === undefined ? isDefault : name === chosen
}
