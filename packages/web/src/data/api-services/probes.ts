import { type Service, type ServiceHealth, services } from '@binnacle/contract'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { call } from '#data/client.ts'
import { logOnly } from '#data/failure.ts'
import { createDeadline } from '#data/transport/deadline.ts'
import { apiServiceQueries } from './services.ts'

/** API-10: a slower service counts as unhealthy. */
const PROBE_TIMEOUT_MS = 5000

/** 'unknown' if the server that probes did not answer. */
export type ProbedHealth = Pick<
  ServiceHealth,
  'response_time' | 'error' | 'is_pending' | 'uptime' | 'history'
> & {
  status: ServiceHealth['status'] | 'unknown'
}

const CHECKING: ProbedHealth = { status: 'checking' }

const probeQueries = {
  all: [...apiServiceQueries.all, 'health'] as const,
  byBrowser: ({ id, url }: Service) =>
    queryOptions({
      queryKey: [...probeQueries.all, 'browser', String(id), url],
      queryFn: ({ signal }) => probe(url, signal),
    }),
  byServer: () =>
    queryOptions({
      queryKey: [...probeQueries.all, 'server'],
      queryFn: async ({ signal }) => (await call(services.health, {}, { signal })).health,
      meta: { onFailure: logOnly },
    }),
}

/**
 * The health of each service, probed by the server if it offers `probes`, otherwise by this browser. No probe is sent
 * before the backend's capabilities are known or their load has failed.
 */
export function useServiceHealth(listed: readonly Service[]): (service: Service) => ProbedHealth {
  const backend = useQuery(capabilityQueries.backend())
  const isByServer = useIsServerProbing()
  const isByBrowser = backend.isFetched && !isByServer
  const server = useQuery({ ...probeQueries.byServer(), enabled: isByServer && listed.length > 0 })
  const browser = useQueries({
    queries: listed.map((service) => ({ ...probeQueries.byBrowser(service), enabled: isByBrowser })),
  })
  if (isByServer) return (service) => healthFromServer(service, server)
  return (service) => {
    const { data, isFetching } = browser[listed.indexOf(service)] ?? {}
    return data === undefined || isFetching ? CHECKING : data
  }
}

/** Whether the server, not the browser, sends probes and route tests. */
export function useIsServerProbing(): boolean {
  const { data } = useQuery(capabilityQueries.backend())
  return offers(data, 'probes')
}

interface ServerProbe {
  data: readonly ServiceHealth[] | undefined
  error: Error | null
  isFetching: boolean
}

function healthFromServer(service: Service, { data, error, isFetching }: ServerProbe): ProbedHealth {
  if (isFetching) return CHECKING
  if (error) return { status: 'unknown', error: error.message }
  return data?.find(({ endpoint }) => String(endpoint) === String(service.id)) ?? { status: 'unknown' }
}

async function probe(url: string, outer: AbortSignal): Promise<ProbedHealth> {
  const deadline = createDeadline(PROBE_TIMEOUT_MS, outer)
  const startedAt = performance.now()
  try {
    const address = `${url.replace(/\/+$/, '')}/api/health`
    const response = await fetch(address, { signal: deadline.signal, cache: 'no-store' })
    if (!response.ok) return { status: 'unhealthy', error: `HTTP ${response.status}` }
    return { status: 'healthy', response_time: Math.round(performance.now() - startedAt) }
  } catch (error) {
    outer.throwIfAborted()
    return { status: 'unhealthy', error: messageOf(error) }
  } finally {
    deadline.clear()
  }
}

// A fetch aborted at its deadline rejects with a DOMException, which is not an Error everywhere.
function messageOf(error: unknown): string | null {
  return error instanceof Error || error instanceof DOMException ? error.message : null
}
