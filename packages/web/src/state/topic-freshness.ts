import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ApiError, ReplyError } from '#data/failure.ts'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { type ShownTopic, TOPIC_QUERIES } from '#data/stream/stream-topics.ts'

/** STREAM-15. Live: from the stream. Delayed: polled. Stale: the last poll failed. Disconnected: no answer at all. */
export type Freshness = 'live' | 'delayed' | 'stale' | 'disconnected'

export interface TopicFreshness {
  freshness: Freshness
  /** When the figures were loaded; undefined while they are live. */
  asOf: number | undefined
}

/** How fresh the figures of a topic are; undefined before they are loaded and on a backend without a stream. */
export function useFreshness(topic: ShownTopic): TopicFreshness | undefined {
  return useQueryFreshness(TOPIC_QUERIES[topic][0].key)
}

/** The same for figures that one query polls. */
export function useQueryFreshness(key: QueryKey): TopicFreshness | undefined {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  const text = useSyncExternalStore(subscribe, () => freshnessText(client, key))
  if (text === '') return undefined
  const [freshness, asOf] = text.split(' ')
  // Composed below.
  return { freshness: freshness as Freshness, asOf: asOf === undefined ? undefined : Number(asOf) }
}

/** As a text, which is equal as long as nothing changed. */
function freshnessText(client: QueryClient, key: QueryKey): string {
  const stream = client.getQueryData(streamQueries.state().queryKey)
  const polled = client.getQueryState(key)
  if (stream === undefined || polled?.data === undefined) return ''
  if (stream.kind === 'live') return 'live'
  if (polled.status !== 'error') return `delayed ${polled.dataUpdatedAt}`
  const isAnswered = polled.error instanceof ApiError || polled.error instanceof ReplyError
  return `${isAnswered ? 'stale' : 'disconnected'} ${polled.dataUpdatedAt}`
}
