import { type RiskLimits, type RiskMetrics, risk, type StoredRiskLimits } from '@binnacle/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ActOptions, useAct } from './changes/act.ts'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000
const SAVE_LIMITS = ['risk', 'save-limits']

/** Metrics and limits of one moment; a part that was never answered is missing. */
export interface RiskPicture {
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
  /** RISK-3: metrics and limits in one load, so that they always belong together. */
  picture: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...riskQueries.all, 'picture'],
      queryFn: ({ signal, client }) => loadPicture(signal, client),
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}

export function useSaveLimits(options: ActOptions) {
  const send = (limits: RiskLimits) => call(risk.saveLimits, { body: limits })
  return useAct({ key: SAVE_LIMITS, send, touches: riskQueries.all }, options)
}

async function loadPicture(signal: AbortSignal, client: QueryClient): Promise<RiskPicture> {
  const [metrics, limits] = await Promise.allSettled([
    call(risk.metrics, {}, { signal }),
    call(risk.limits, {}, { signal }),
  ])
  if (metrics.status === 'fulfilled' && limits.status === 'fulfilled') {
    return { metrics: metrics.value, limits: limits.value }
  }
  if (metrics.status === 'fulfilled') keepPart(client, { metrics: metrics.value })
  if (limits.status === 'fulfilled') keepPart(client, { limits: limits.value })
  throw [metrics, limits].find((part) => part.status === 'rejected')?.reason
}

/** The half that was answered is shown; the load still counts as failed and stays as old as the last whole one. */
function keepPart(client: QueryClient, part: RiskPicture): void {
  const key = [...riskQueries.all, 'picture']
  const updatedAt = client.getQueryState(key)?.dataUpdatedAt ?? 0
  client.setQueryData<RiskPicture>(key, (last) => ({ ...last, ...part }), { updatedAt })
}
