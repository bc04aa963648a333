import { QueryCache, QueryClient } from '@tanstack/react-query'
import type { FailurePolicy } from './failure.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Chosen by the screen: what a failed load does. */
      onFailure?: FailurePolicy
      /** Called after each successful load. */
      onLoaded?: (() => void) | undefined
      /** Polled figures: the shell shows their age when polling fails. */
      isPolled?: boolean
    }
  }
}

/**
 * CLIENT-8: no retries, so that 'Disconnected' and every 'Failed to …' appear at the first failure; polling is the
 * retry. `networkMode: always`, because a server on loopback answers without any network; otherwise the library would
 * also hold a command back while the browser is offline, and send it later (CLIENT-220).
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
