import {
  type Account,
  type RiskLimits,
  type RiskMetrics,
  risk,
  type StoredRiskLimits,
} from '@binnacle/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Backend, capabilityQueries } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000
const SAVE_LIMITS = ['risk', 'save-limits']

/** Metrics and limits of one poll; a part that never loaded is missing. */
export interface RiskOverview {
  metrics?: RiskMetrics
  limits?: StoredRiskLimits
}

export const riskQueries = {
  all: ['risk'] as const,
  metrics: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...riskQueries.all, 'metrics'],
      queryFn: ({ signal }) => call(risk.metrics, {}, { signal }),
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
  /** RISK-3: metrics and limits in one load, so that both are of the same poll. */
  overview: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...riskQueries.all, 'overview'],
      queryFn: ({ signal, client }) => loadOverview(signal, client),
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

/** Null from a backend without an account; nothing is requested in the baseline. */
export const accountQuery = (backend: Backend | undefined) =>
  queryOptions({
    queryKey: [...riskQueries.all, 'account'],
    queryFn: async ({ signal }) => (await call(risk.metrics, {}, { signal })).account ?? null,
    refetchInterval: POLL_MS,
    enabled: backend?.kind === 'live',
  })

/** For the header. Undefined while unknown, without an account, and in the baseline, where nothing is requested. */
export function useAccount(): Account | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useQuery(accountQuery(backend)).data ?? undefined
}

export function useSaveLimits(options: CommandOptions<RiskLimits>): Command<RiskLimits> {
  return useCommand(
    {
      key: SAVE_LIMITS,
      send: (limits) => call(risk.saveLimits, { body: limits }),
      reload: (client) => client.invalidateQueries({ queryKey: riskQueries.all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

async function loadOverview(signal: AbortSignal, client: QueryClient): Promise<RiskOverview> {
  const [metrics, limits] = await Promise.allSettled([
    call(risk.metrics, {}, { signal }),
    call(risk.limits, {}, { signal }),
  ])
  if (metrics.status === 'fulfilled' && limits.status === 'fulfilled') {
    return { metrics: metrics.value, limits: limits.value }
  }
  if (metrics.status === 'fulfilled') storePart(client, { metrics: metrics.value })
  if (limits.status === 'fulfilled') storePart(client, { limits: limits.value })
  throw [metrics, limits].find((part) => part.status === 'rejected')?.reason
}

/** Shows the half that loaded. The load still counts as failed and keeps the time of the last complete one. */
function storePart(client: QueryClient, part: RiskOverview): void {
  const key = [...riskQueries.all, 'overview']
  const updatedAt = client.getQueryState(key)?.dataUpdatedAt ?? 0
  client.setQueryData<RiskOverview>(key, (last) => ({ ...last, ...part }), { updatedAt })
}
