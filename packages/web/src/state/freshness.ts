import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/** The time of the oldest polled query on this screen whose last poll failed; undefined while all are fresh. */
export function useStaleSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  const getOldest = () => {
    const failed = cache
      .findAll({ type: 'active' })
      .filter(
        (query) => query.meta?.isPolled && query.state.status === 'error' && query.state.dataUpdatedAt > 0,
      )
    return failed.length === 0 ? undefined : Math.min(...failed.map((query) => query.state.dataUpdatedAt))
  }
  return useSyncExternalStore(subscribe, getOldest, getOldest)
}
