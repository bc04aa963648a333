import type { Capability } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { type FailurePolicy, logOnly } from './failure.ts'

/** What the screen that loads decides. */
export interface LoadOptions {
  onFailure: FailurePolicy
  /** Called each time the load has been answered. */
  onLoaded?: (() => void) | undefined
}

/** A list that stays as it is while a live backend runs. */
export interface LastingList<Item> {
  key: string
  /** Asked for only where this is offered; without it every live backend is asked. */
  capability?: Capability
  load: (signal: AbortSignal) => Promise<readonly Item[]>
}

const NONE: readonly never[] = []

/** Asks a live backend once; the baseline is not asked, and has none. */
export function useAskedOnce<Item>({ key, capability, load }: LastingList<Item>): readonly Item[] {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data = NONE } = useQuery({
    queryKey: [key],
    queryFn: ({ signal }) => load(signal),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { onFailure: logOnly },
    enabled: capability === undefined ? backend?.kind === 'live' : offers(backend, capability),
  })
  return data
}
