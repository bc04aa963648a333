import { hashKey, type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { componentDetailQueries } from '#data/component-details.ts'
import { useStoppedComponents } from '#data/engine.ts'
import { ApiError, ReplyError } from '#data/failure.ts'
import { marketQueries } from '#data/market-data.ts'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { type ShownTopic, TOPIC_QUERIES } from '#data/stream/stream-topics.ts'

/**
 * STREAM-15. Live: from the stream. Delayed: polled. Stale: the last poll failed, or what computes the figures is stopped.
 * Disconnected: no answer at all.
 */
export type Freshness = 'live' | 'delayed' | 'stale' | 'disconnected'

export interface TopicFreshness {
  freshness: Freshness
  /** When the figures were loaded or computed; undefined while they are live. */
  asOf: number | undefined
}

/** How fresh the figures of a topic are; undefined before they are loaded and on a backend without a stream. */
export function useFreshness(topic: ShownTopic): TopicFreshness | undefined {
  const loaded = useLoadedFreshness(TOPIC_QUERIES[topic][0].key, true)
  const frozen = useFrozen(topic)
  // An age is worse than none.
  if (loaded === undefined || !frozen || loaded.freshness === 'disconnected') return loaded
  return { freshness: 'stale', asOf: frozen.since ?? loaded.asOf }
}

const FIGURES = ['DataEngine', 'Portfolio']

/** The components that compute the figures of a topic. The screen of the engine shows those of account and risk. */
const SOURCES: Partial<Record<ShownTopic, readonly string[]>> = {
  engine: FIGURES,
  positions: FIGURES,
  account: FIGURES,
  risk: FIGURES,
}

/** STREAM-60: since when the figures of a topic do not change, because a component that computes them is stopped. */
export function useFrozen(topic: ShownTopic): { since: number | undefined } | undefined {
  const sources = SOURCES[topic]
  const stopped = useStoppedComponents().filter(({ name }) => sources?.includes(name))
  const { data } = useQuery({ ...componentDetailQueries.read(), enabled: stopped.length > 0 })
  if (stopped.length === 0) return undefined
  const details = data?.components.filter(({ id }) => stopped.some((one) => String(one.id) === id)) ?? []
  const stops = details.flatMap(({ history }) => (history[0] ? Date.parse(history[0].at) : []))
  return { since: stops.length === 0 ? undefined : Math.min(...stops) }
}

/** The same for figures that a poll alone brings, which are never live. */
export function usePolledFreshness(key: QueryKey): TopicFreshness | undefined {
  return useLoadedFreshness(key, false)
}

/** The same for market data; a server may have a stream without it. */
export function useMarketFreshness(key: QueryKey): TopicFreshness | undefined {
  const { data: isStreamed = false } = useQuery(marketQueries.isStreamed())
  return useLoadedFreshness(key, isStreamed)
}

function useLoadedFreshness(key: QueryKey, isStreamed: boolean): TopicFreshness | undefined {
  const client = useQueryClient()
  const hash = hashKey(key)
  const subscribe = useCallback(
    (listener: () => void) =>
      client.getQueryCache().subscribe(({ query, type }) => {
        if (type === 'observerResultsUpdated' || type === 'observerOptionsUpdated') return
        if (query.queryHash === hash || query.queryHash === STREAM_HASH) listener()
      }),
    [client, hash],
  )
  const getText = () => freshnessText(client, key, isStreamed)
  const text = useSyncExternalStore(subscribe, getText, getText)
  if (text === '') return undefined
  const [freshness, asOf] = text.split(' ')
  // Composed below.
  return { freshness: freshness as Freshness, asOf: asOf === undefined ? undefined : Number(asOf) }
}

const STREAM_HASH = hashKey(streamQueries.state().queryKey)

/** As a text, which is equal as long as nothing changed. */
function freshnessText(client: QueryClient, key: QueryKey, isStreamed: boolean): string {
  const stream = client.getQueryData(streamQueries.state().queryKey)
  const polled = client.getQueryState(key)
  if (stream === undefined || polled?.data === undefined) return ''
  if (isStreamed && stream.kind === 'live') return 'live'
  if (polled.status !== 'error') return `delayed ${polled.dataUpdatedAt}`
  const isAnswered = polled.error instanceof ApiError || polled.error instanceof ReplyError
  return `${isAnswered ? 'stale' : 'disconnected'} ${polled.dataUpdatedAt}`
}
