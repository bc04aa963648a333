import { hashKey, type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { componentDetailQueries } from '#data/component-details.ts'
import { useEngineSummary, useStoppedComponents } from '#data/engine.ts'
import { ApiError, ReplyError } from '#data/failure.ts'
import { marketQueries } from '#data/market-data.ts'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { type ShownTopic, TOPIC_QUERIES } from '#data/stream/stream-topics.ts'

/**
 * STREAM-15. Live: from the stream. Delayed: polled. Stale: the last poll failed, or what computes the figures is stopped.
 * Stopped: the engine halted. Disconnected: no answer at all.
 */
export type Freshness = 'live' | 'delayed' | 'stale' | 'stopped' | 'disconnected'

export interface TopicFreshness {
  freshness: Freshness
  /** When the figures were loaded or computed; undefined while they are live. */
  asOf: number | undefined
}

/** How fresh the figures of a topic are; undefined before they are loaded and on a backend without a stream. */
export function useFreshness(topic: ShownTopic): TopicFreshness | undefined {
  // The server raises alerts, also while the engine is halted.
  const loaded = useLoadedFreshness(TOPIC_QUERIES[topic][0].key, true, topic !== 'alerts')
  const frozen = useFrozen(topic)
  // An age is worse than none.
  if (loaded === undefined || !frozen || isWorseThanStale(loaded)) return loaded
  return { freshness: 'stale', asOf: frozen.since ?? loaded.asOf }
}

function isWorseThanStale({ freshness }: TopicFreshness): boolean {
  return freshness === 'stopped' || freshness === 'disconnected'
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
  return useLoadedFreshness(key, false, false)
}

/** The same for market data; a server may have a stream without it. */
export function useMarketFreshness(key: QueryKey): TopicFreshness | undefined {
  const { data: isStreamed = false } = useQuery(marketQueries.isStreamed())
  return useLoadedFreshness(key, isStreamed, true)
}

function useLoadedFreshness(
  key: QueryKey,
  isStreamed: boolean,
  isOfEngine: boolean,
): TopicFreshness | undefined {
  const isHalted = useEngineSummary()?.isHalted === true && isOfEngine
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
  const getText = () => freshnessText(client, key, isStreamed, isHalted)
  const text = useSyncExternalStore(subscribe, getText, getText)
  if (text === '') return undefined
  const [freshness, asOf] = text.split(' ')
  // Composed below.
  return { freshness: freshness as Freshness, asOf: asOf === undefined ? undefined : Number(asOf) }
}

const STREAM_HASH = hashKey(streamQueries.state().queryKey)

/** As a text, which is equal as long as nothing changed. */
function freshnessText(client: QueryClient, key: QueryKey, isStreamed: boolean, isHalted: boolean): string {
  const stream = client.getQueryData(streamQueries.state().queryKey)
  const polled = client.getQueryState(key)
  if (stream === undefined || polled?.data === undefined) return ''
  const isLive = isStreamed && stream.kind === 'live'
  const isAnswered =
    isLive ||
    polled.status !== 'error' ||
    polled.error instanceof ApiError ||
    polled.error instanceof ReplyError
  if (!isAnswered) return `disconnected ${polled.dataUpdatedAt}`
  if (isHalted) return `stopped ${polled.dataUpdatedAt}`
  if (isLive) return 'live'
  return `${polled.status === 'error' ? 'stale' : 'delayed'} ${polled.dataUpdatedAt}`
}
