import { type Capability, service } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { ApiError } from './failure.ts'

/** What the backend behind the console is: the specification and no more, or one that offers live screens. */
export type Backend = { kind: 'baseline' } | { kind: 'live'; capabilities: ReadonlySet<Capability | string> }

/** While the answer is unknown the console keeps asking at the dashboard's pace. */
const ASK_AGAIN_MS = 5000

export const capabilityQueries = {
  all: ['capabilities'] as const,
  backend: () =>
    queryOptions({
      queryKey: capabilityQueries.all,
      queryFn: ({ signal, client }) =>
        askBackend(signal, client.getQueryData<Backend>(capabilityQueries.all)),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      // CAP-6: a backend once seen live stays live, so a known answer is not asked for again.
      refetchInterval: ({ state }) => (state.data === undefined ? ASK_AGAIN_MS : false),
    }),
}

/** Whether a backend says that it can do this; false as long as it is not known. */
export function offers(backend: Backend | undefined, capability: Capability): boolean {
  return backend?.kind === 'live' && backend.capabilities.has(capability)
}

async function askBackend(signal: AbortSignal, known: Backend | undefined): Promise<Backend> {
  try {
    const { capabilities } = await call(service.capabilities, {}, { signal })
    return { kind: 'live', capabilities: new Set(capabilities) }
  } catch (error) {
    // CAP-2: only a 404 means baseline; anything else leaves the answer unknown.
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return known ?? { kind: 'baseline' }
  }
}
