import { type ChartInterval, STREAM_MARKET_INSTRUMENTS_MAX } from '@binnacle/contract'

/** What the stream sends for a tab beside the lists. Quotes of all instruments come with market data. */
export interface TabSubscription {
  instruments: readonly string[]
  intervals: readonly ChartInterval[]
  /** Whether log lines are shown. */
  logs?: boolean
}

const listeners = new Set<() => void>()
let current: TabSubscription | undefined

/** What this tab shows now; the stream sends market data and log lines for nothing else. */
export const tabSubscription = {
  get: (): TabSubscription | undefined => current,
  set(subscription: TabSubscription | undefined): void {
    current = subscription
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** What all tabs show together; undefined if none shows market data or logs. */
export function mergeSubscriptions(subscriptions: Iterable<TabSubscription>): TabSubscription | undefined {
  const all = [...subscriptions]
  if (all.length === 0) return undefined
  const instruments = new Set(all.flatMap((subscription) => subscription.instruments))
  return {
    instruments: [...instruments].slice(0, STREAM_MARKET_INSTRUMENTS_MAX),
    intervals: [...new Set(all.flatMap((subscription) => subscription.intervals))],
    ...(all.some((subscription) => subscription.logs) && { logs: true }),
  }
}
