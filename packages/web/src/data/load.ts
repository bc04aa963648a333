import type { Capability } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Backend, capabilityQueries, offers } from './capabilities.ts'
import { type FailurePolicy, logOnly } from './failure.ts'

export interface LoadOptions {
  onFailure: FailurePolicy
  /** Called after each successful load. */
  onLoaded?: (() => void) | undefined
}

/** A list that does not change while a live backend runs. */
export interface StaticList<Item> {
  key: string
  /** Loaded only if the backend offers this; without it, from every live backend. */
  capability?: Capability
  load: (signal: AbortSignal) => Promise<readonly Item[]>
}

const RETRY_MS = 5000

/** For `refetchInterval` of what is loaded once: until then it is loaded again and again. */
export function retryUntilLoaded({ state }: { state: { data: unknown } }): number | false {
  return state.data === undefined ? RETRY_MS : false
}

const NONE: readonly never[] = []

/** Loads the list once from a live backend; nothing is requested in the baseline. */
export function staticListQuery<Item>(
  { key, capability, load }: StaticList<Item>,
  backend: Backend | undefined,
) {
  return queryOptions({
    queryKey: [key],
    queryFn: ({ signal }) => load(signal),
    staleTime: Number.POSITIVE_INFINITY,
    // CLIENT-8: a failed first load is not retried by itself.
    refetchInterval: retryUntilLoaded,
    meta: { onFailure: logOnly },
    enabled: capability === undefined ? backend?.kind === 'live' : offers(backend, capability),
  })
}

/** Empty while unknown and in the baseline. */
export function useStaticList<Item>(list: StaticList<Item>): readonly Item[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useQuery(staticListQuery(list, backend)).data ?? NONE
}
