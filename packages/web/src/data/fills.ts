import { fills } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import type { LoadOptions } from './load.ts'

const POLL_MS = 5000

export const fillQueries = {
  all: ['fills'] as const,
  /** The latest ones, latest first. */
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: fillQueries.all,
      queryFn: async ({ signal }) => (await call(fills.list, { query: { limit: 500 } }, { signal })).fills,
      refetchInterval: POLL_MS,
      meta: { onFailure, isPolled: true },
    }),
}
