import { ENGINE_PARAMETER, STREAM } from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { loadAddresses } from '#data/transport/addresses.ts'
import { chosenEngine } from '#data/transport/chosen-engine.ts'
import { LogCache } from './log-cache.ts'
import { MarketCache } from './market-cache.ts'
import { StreamCache } from './stream-cache.ts'
import { streamQueries } from './stream-queries.ts'
import { openSharedStream } from './stream-tabs.ts'
import { SHOWN_TOPICS } from './stream-topics.ts'

/** Follows the server's stream into the query cache until the signal aborts. */
export async function followStream(client: QueryClient, signal: AbortSignal): Promise<void> {
  const { trading } = await loadAddresses()
  if (signal.aborted) return
  const engine = chosenEngine()
  const query = engine === undefined ? '' : `?${ENGINE_PARAMETER}=${encodeURIComponent(engine)}`
  const cache = new StreamCache(client)
  const market = new MarketCache(client)
  const logs = new LogCache(client)
  const stop = openSharedStream({
    url: `${trading.replace(/^http/, 'ws')}${STREAM.path}${query}`,
    topics: SHOWN_TOPICS,
    onFrame: (frame) => {
      cache.apply(frame)
      market.apply(frame)
      logs.apply(frame)
    },
    onState: (state) => {
      // Nothing is known before the first attempt ended.
      const { queryKey } = streamQueries.state()
      if (state.kind !== 'connecting' || client.getQueryData(queryKey)) client.setQueryData(queryKey, state)
      if (state.kind === 'connecting') cache.pauseWrites()
      else cache.resumeWrites()
    },
  })
  signal.addEventListener('abort', () => {
    stop()
    cache.close()
    client.removeQueries({ queryKey: streamQueries.all })
  })
}
