import { QueryCache, QueryClient } from '@tanstack/react-query'
import type { FailurePolicy } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Named by the screen: what a failed load does. */
      onFailure?: FailurePolicy
      /** Named by the screen: what it says each time the load has been answered. */
      onLoaded?: (() => void) | undefined
      /** Figures that are polled: the shell says their age when polling fails. */
      isPolled?: boolean
    }
  }
}

/**
 * CLIENT: loads are not retried, so that 'Disconnected' and every 'Failed to …' appear at the first failure;
 * polling is the retry. `networkMode: always`, because loopback answers without any network.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => query.meta?.onFailure?.(error),
      onSuccess: (_, query) => query.meta?.onLoaded?.(),
    }),
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        gcTime: 60_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
