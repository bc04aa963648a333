import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * Since when the figures on this screen stand still: the time of the oldest polled query in view whose last poll
 * failed, or undefined while all of them are fresh.
 */
export function useStaleSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () => {
    const failed = cache
      .findAll({ type: 'active' })
      .filter(
        (query) => query.meta?.isPolled && query.state.status === 'error' && query.state.dataUpdatedAt > 0,
      )
    return failed.length === 0 ? undefined : Math.min(...failed.map((query) => query.state.dataUpdatedAt))
  })
}
