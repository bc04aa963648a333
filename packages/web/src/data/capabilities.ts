import { type Capability, service } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { ApiError } from './failure.ts'
import { resolvePageAddresses } from './transport/addresses.ts'
import { chosenEngine } from './transport/chosen-engine.ts'
import { readPageData } from './transport/page-data.ts'

/** 'baseline' implements the specification alone; 'live' lists its capabilities. */
export type Backend = { kind: 'baseline' } | { kind: 'live'; capabilities: ReadonlySet<Capability | string> }

/** CAP-5: the interval of requests while the backend is unknown. */
const RETRY_MS = 5000

export const capabilityQueries = {
  all: ['capabilities'] as const,
  backend: () =>
    queryOptions({
      queryKey: capabilityQueries.all,
      queryFn: ({ signal, client }) =>
        loadBackend(signal, client.getQueryData<Backend>(capabilityQueries.all)),
      initialData: backendInPage,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      // CAP-6: a backend once seen live stays live, so a known answer is not polled.
      refetchInterval: ({ state }) => (state.data === undefined ? RETRY_MS : false),
    }),
}

/** False in the baseline and while the backend is unknown. */
export function useIsLive(): boolean {
  return useQuery(capabilityQueries.backend()).data?.kind === 'live'
}

/** False while the backend is unknown. */
export function offers(backend: Backend | undefined, capability: Capability): boolean {
  return backend?.kind === 'live' && backend.capabilities.has(capability)
}

/** Whether the backend offers a capability; false while it is unknown. */
export function useOffers(capability: Capability): boolean {
  return offers(useQuery(capabilityQueries.backend()).data, capability)
}

async function loadBackend(signal: AbortSignal, known: Backend | undefined): Promise<Backend> {
  try {
    const { capabilities } = await call(service.capabilities, {}, { signal })
    return { kind: 'live', capabilities: new Set(capabilities) }
  } catch (error) {
    // CAP-2: only a 404 means baseline; any other failure leaves the backend unknown.
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return known ?? { kind: 'baseline' }
  }
}

/** CALL-85: known before the first rendering when the page's own server is the backend. */
export function backendInPage(): Backend | undefined {
  // The page has those of the first engine.
  const data = chosenEngine() === undefined ? readPageData() : undefined
  if (data === undefined || resolvePageAddresses(data).trading !== globalThis.location.origin)
    return undefined
  return { kind: 'live', capabilities: new Set(data.capabilities.capabilities) }
}
