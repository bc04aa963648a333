import {
  type BarColumns,
  type Desk,
  INTERVAL_MS,
  type InstrumentId,
  type Instruments,
  instantFromMs,
} from '@binnacle/engine'
import type { MarketRecord } from '#trading/catalog/market-history.ts'
import { type BarKey, BarTracks, type TrackedBar } from './bar-tracks.ts'
import {
  type ChartPage,
  type ChartQuery,
  createMinuteSource,
  createSecondSource,
  readChart,
} from './chart-bars.ts'
import { DayFigures } from './day-figures.ts'
import { LiveMarket, type TapeTrade } from './live-market.ts'
import { openSecondRing } from './second-ring.ts'

/** The market as charts, lists and the stream show it: recorded bars joined with the running market. */
export interface MarketData {
  /** Reads bars, oldest first, up to the one under way. */
  bars(query: ChartQuery): Promise<ChartPage>
  /** The last 24 hours of every instrument in 15-minute bars, the one under way included. */
  lastDay(): Promise<ReadonlyMap<InstrumentId, BarColumns>>
  /** The latest trades, oldest first. */
  tape(instrument: InstrumentId): readonly TapeTrade[]
  /** Passes trades and followed bars on. Returns a function that ends it. */
  listen(listener: MarketListener): () => void
  /** Follows exactly these bars; they are passed on whenever they change. */
  followBars(keys: readonly BarKey[]): void
  /** The followed bars as they are now, as far as they are loaded. */
  currentBars(keys: readonly BarKey[]): readonly TrackedBar[]
  close(): void
}

export interface MarketListener {
  onTrades(trades: readonly TapeTrade[]): void
  onBars(bars: readonly TrackedBar[]): void
}

export interface MarketDataOptions {
  desk: Pick<Desk, 'onTrades'>
  instruments: Instruments
  record: MarketRecord
  /** The folder of the 1-second bars. */
  secondsFolder: string
  onFault: (fault: unknown) => void
  now?: () => number
}

export function openMarketData(options: MarketDataOptions): MarketData {
  const { desk, instruments, record, onFault, now = Date.now } = options
  const ring = openSecondRing(options.secondsFolder)
  let day: DayFigures | undefined
  const live = new LiveMarket({
    instruments: instruments.all,
    ring,
    lastMinuteOf: record.lastMinuteOf,
    onMinutes(minutes) {
      record.record(minutes)
      day?.add(minutes)
    },
    onFault,
    now: instantFromMs(now()),
  })
  const ids = instruments.all.map(({ id }) => id)
  const figures = new DayFigures(record, live, ids)
  day = figures
  record.onAdded(() => figures.reset())
  const sources = { minutes: createMinuteSource(record, live, now), seconds: createSecondSource(live, now) }
  const listeners = new Set<MarketListener>()

  function bars(query: ChartQuery): Promise<ChartPage> {
    const isShort = INTERVAL_MS[query.interval] < INTERVAL_MS['1m']
    return readChart(isShort ? sources.seconds : sources.minutes, query, now())
  }

  const tracks = new BarTracks({
    read: bars,
    onBars: (changed) => {
      for (const listener of listeners) listener.onBars(changed)
    },
    onFault,
  })
  live.onTrades((trades) => {
    tracks.take(trades)
    for (const listener of listeners) listener.onTrades(trades)
  })
  const unfollow = live.follow(desk)

  return {
    bars,
    lastDay: () => figures.read(now()),
    tape: (instrument) => live.tapeOf(instrument),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    followBars: (keys) => tracks.follow(keys),
    currentBars: (keys) => tracks.current(keys),
    close() {
      unfollow()
      ring.close()
    },
  }
}
