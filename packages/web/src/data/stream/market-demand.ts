import { type ChartInterval, STREAM_MARKET_INSTRUMENTS_MAX } from '@binnacle/contract'

/** The market data that a screen shows. Quotes of all instruments come with it. */
export interface MarketDemand {
  instruments: readonly string[]
  intervals: readonly ChartInterval[]
  /** Whether log lines are shown. */
  logs?: boolean
}

const listeners = new Set<() => void>()
let current: MarketDemand | undefined

/** What this tab shows now; the stream sends market data for nothing else. */
export const marketDemand = {
  get: (): MarketDemand | undefined => current,
  set(demand: MarketDemand | undefined): void {
    current = demand
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** What all tabs show together; undefined if none shows market data. */
export function unionOf(demands: Iterable<MarketDemand>): MarketDemand | undefined {
  const all = [...demands]
  if (all.length === 0) return undefined
  const instruments = new Set(all.flatMap((demand) => demand.instruments))
  return {
    instruments: [...instruments].slice(0, STREAM_MARKET_INSTRUMENTS_MAX),
    intervals: [...new Set(all.flatMap((demand) => demand.intervals))],
    ...(all.some((demand) => demand.logs) && { logs: true }),
  }
}
