import {
  type Bar,
  type BarBuilder,
  createBarBuilder,
  type InstrumentId,
  type Interval,
  instantFromMs,
} from '@binnacle/engine'
import type { ChartPage, ChartQuery } from './chart-bars.ts'
import type { TapeTrade } from './live-market.ts'

/** A bar of one instrument, finished or under way. */
export type TrackedBar = Bar & { readonly instrument: InstrumentId }

export interface BarKey {
  readonly instrument: InstrumentId
  readonly interval: Interval
}

export interface BarTracksOptions {
  /** Reads the bar under way. It must include every trade that was passed on when it resolves. */
  read: (query: ChartQuery) => Promise<ChartPage>
  onBars: (bars: readonly TrackedBar[]) => void
  onFault: (fault: unknown) => void
}

interface Track extends BarKey {
  builder: BarBuilder | undefined
  isReading: boolean
  /** The bar under way could not be read; the next trade tries again. */
  hasFailed: boolean
  readonly ended: Bar[]
}

/** The bars under way that somebody follows; only these are computed. */
export class BarTracks {
  readonly #options: BarTracksOptions
  readonly #tracks = new Map<string, Track>()

  constructor(options: BarTracksOptions) {
    this.#options = options
  }

  /** Follows exactly these bars from now on. */
  follow(keys: readonly BarKey[]): void {
    const wanted = new Map(keys.map((key) => [nameOf(key), key]))
    for (const name of [...this.#tracks.keys()]) if (!wanted.has(name)) this.#tracks.delete(name)
    for (const [name, key] of wanted) {
      if (this.#tracks.has(name)) continue
      const track: Track = { ...key, builder: undefined, isReading: false, hasFailed: false, ended: [] }
      this.#tracks.set(name, track)
      this.#begin(track)
    }
  }

  /** Returns the bars of these keys, as far as they are loaded. */
  current(keys: readonly BarKey[]): TrackedBar[] {
    return keys.flatMap((key) => {
      const track = this.#tracks.get(nameOf(key))
      return track === undefined ? [] : currentOf(track)
    })
  }

  take(trades: readonly TapeTrade[]): void {
    if (this.#tracks.size === 0) return
    const byInstrument = Map.groupBy(trades, ({ instrument }) => instrument)
    const changed = [...this.#tracks.values()].flatMap((track) => {
      const own = byInstrument.get(track.instrument)
      if (own === undefined) return []
      if (track.builder === undefined) {
        this.#begin(track)
        return []
      }
      for (const { at, price, size } of own) track.builder.trade(at, price, size)
      const ended = track.ended.splice(0).map((bar) => ({ ...bar, instrument: track.instrument }))
      return [...ended, ...currentOf(track)]
    })
    if (changed.length > 0) this.#options.onBars(changed)
  }

  #begin(track: Track): void {
    const { instrument, interval } = track
    const { read, onBars, onFault } = this.#options
    if (track.isReading) return
    track.isReading = true
    read({ instrument, interval, limit: 1 })
      .then(({ bars }) => {
        track.hasFailed = false
        if (this.#tracks.get(nameOf(track)) !== track) return
        track.builder = createBarBuilder([interval], (bar) => track.ended.push(bar))
        if (bars.length > 0) track.builder.resume(barOf(bars, interval))
        onBars(currentOf(track))
      })
      .catch((fault: unknown) => {
        if (!track.hasFailed) onFault(fault)
        track.hasFailed = true
      })
      .finally(() => {
        track.isReading = false
      })
  }
}

function currentOf({ builder, instrument, interval }: Track): TrackedBar[] {
  const bar = builder?.current(interval) ?? null
  return bar === null ? [] : [{ ...bar, instrument }]
}

function barOf({ start, open, high, low, close, volume }: ChartPage['bars'], interval: Interval): Bar {
  return {
    interval,
    start: instantFromMs(start[0] ?? 0),
    open: open[0] ?? 0,
    high: high[0] ?? 0,
    low: low[0] ?? 0,
    close: close[0] ?? 0,
    volume: volume[0] ?? 0,
    trades: 0,
  }
}

function nameOf({ instrument, interval }: BarKey): string {
  return `${instrument} ${interval}`
}
