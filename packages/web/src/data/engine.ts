import { type Component, type EngineCounts, engine } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000

export const engineQueries = {
  all: ['engine'] as const,
  /** Polled on the trader dashboard, loaded once on the admin dashboard. */
  info: ({ onFailure, onLoaded, isPolled = false }: LoadOptions & { isPolled?: boolean }) =>
    queryOptions({
      queryKey: [...engineQueries.all, 'info'],
      queryFn: ({ signal }) => call(engine.info, {}, { signal }),
      refetchInterval: isPolled && POLL_MS,
      meta: { onFailure, onLoaded, isPolled },
    }),
  /** Null if the backend does not list components. */
  components: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...engineQueries.all, 'components'],
      queryFn: async ({ signal }) => (await call(engine.systemInfo, {}, { signal })).components ?? null,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
  /** For the shell, on every screen. */
  summary: () =>
    queryOptions({
      queryKey: [...engineQueries.all, 'summary'],
      queryFn: ({ signal }) => call(engine.info, {}, { signal }),
      refetchInterval: POLL_MS,
      // Parts of the shell that appear later use the same answer.
      staleTime: POLL_MS,
    }),
}

const stoppedQuery = queryOptions({
  queryKey: [...engineQueries.all, 'stopped'],
  queryFn: async ({ signal }) => {
    const { components } = await call(engine.systemInfo, {}, { signal })
    return (components ?? []).filter(isStopped)
  },
  refetchInterval: POLL_MS,
})

/** The engine of our own server, all of whose venues are simulated markets. */
export const EMBEDDED = 'embedded'

export interface EngineSummary {
  isRunning: boolean
  /** It stopped itself; it takes neither commands nor market data. */
  isHalted: boolean
  /** ENGS-52: why it takes no commands of this console; undefined when it does. */
  readOnlyBecause: string | undefined
  traderId: string
  /** SHELL-25: whether the connected venues are simulated. */
  hasSimulatedVenues: boolean
  /** FEAT-20: whether orders trade for the paper account. */
  isPaper: boolean
  /** By id; empty where the engine has none. */
  features: Readonly<Record<string, boolean>>
  services: Readonly<Record<string, string>>
  /** Of the last poll; undefined where the engine does not count. */
  counts: EngineCounts | undefined
}

/** For the header. Undefined while unknown and in the baseline, where nothing is requested. */
export function useEngineSummary(): EngineSummary | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data } = useQuery({ ...engineQueries.summary(), enabled: backend?.kind === 'live' })
  if (data === undefined) return undefined
  const { is_running: isRunning, trader_id: traderId, engine_type: type } = data
  const { account, features = {}, services = {}, counts, read_only_reason: readOnlyBecause } = data
  return {
    isRunning,
    isHalted: data.status === 'halted',
    readOnlyBecause,
    traderId,
    hasSimulatedVenues: type === EMBEDDED,
    isPaper: account === 'paper',
    features,
    services,
    counts,
  }
}

/** Whether a feature flag is off; false where the engine has no such flag, and while unknown. */
export function useIsFeatureOff(id: string): boolean {
  return useEngineSummary()?.features[id] === false
}

/** Whether a service is stopped; false where the engine has no such service, and while unknown. */
export function useIsServiceStopped(id: string): boolean {
  return useEngineSummary()?.services[id] === 'stopped'
}

/** Of a component or of the engine. */
export function isRunningStatus(status: string): boolean {
  return status === 'running' || status === 'active'
}

const NONE: readonly Component[] = []
const ORDER_GATES = new Set(['DataEngine', 'ExecutionEngine', 'RiskEngine', 'Portfolio'])

/** Components of a live engine that do not run. Empty while unknown and in the baseline, where nothing is requested. */
export function useStoppedComponents(): readonly Component[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data = NONE } = useQuery({ ...stoppedQuery, enabled: offers(backend, 'components') })
  return data
}

/** Whether a component does not run. */
export function isStopped({ status }: Pick<Component, 'status'>): boolean {
  return !isRunningStatus(status)
}

/** Whether some or all orders are refused while this component does not run. */
export function isOrderGate({ name }: Pick<Component, 'name'>): boolean {
  return ORDER_GATES.has(name)
}
