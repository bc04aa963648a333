import { type Component, engine } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000

export const engineQueries = {
  all: ['engine'] as const,
  /** Asked once per visit, as the admin dashboard does; the trader dashboard polls. */
  info: ({ onFailure, onLoaded, isPolled = false }: LoadOptions & { isPolled?: boolean }) =>
    queryOptions({
      queryKey: [...engineQueries.all, 'info'],
      queryFn: ({ signal }) => call(engine.info, {}, { signal }),
      refetchInterval: isPolled && POLL_MS,
      meta: { onFailure, onLoaded, isPolled },
    }),
  /** The engine's components; a backend need not tell them. */
  components: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...engineQueries.all, 'components'],
      queryFn: async ({ signal }) => (await call(engine.systemInfo, {}, { signal })).components ?? null,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

const atRestQuery = queryOptions({
  queryKey: [...engineQueries.all, 'at-rest'],
  queryFn: async ({ signal }) => {
    const { components } = await call(engine.systemInfo, {}, { signal })
    return (components ?? []).filter(({ status }) => !RUNNING.has(status))
  },
  refetchInterval: POLL_MS,
})

const RUNNING = new Set(['running', 'active'])
const NONE: readonly Component[] = []
const ORDER_GATES = new Set(['DataEngine', 'ExecutionEngine', 'RiskEngine', 'Portfolio'])

/** The components of a live engine that do not run; none while that is unknown, and in the baseline nobody asks. */
export function useComponentsAtRest(): readonly Component[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data = NONE } = useQuery({ ...atRestQuery, enabled: offers(backend, 'components') })
  return data
}

/** Whether orders are refused, all or some, while this component does not run. */
export function isOrderGate({ name }: Pick<Component, 'name'>): boolean {
  return ORDER_GATES.has(name)
}
