import { engine } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
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
