import {
  type Bar,
  type BarBuilder,
  barStart,
  createBarBuilder,
  type Desk,
  type Instant,
  type Instrument,
  type InstrumentId,
  instantFromMs,
  type TradeTick,
} from '@binnacle/engine'
import type { Minute } from '#trading/catalog/minute-tail.ts'
import { RING_SECONDS, type SecondRing } from './second-ring.ts'

/** A trade of the tape. Its number rises with each trade of the server, also over restarts. */
export interface TapeTrade extends TradeTick {
  readonly number: number
}

export interface LiveMarketOptions {
  instruments: readonly Instrument[]
  ring: SecondRing
  /** The start of the latest recorded minute of an instrument. */
  lastMinuteOf: (instrument: InstrumentId) => number | undefined
  /** Takes finished minutes, to record them. */
  onMinutes: (minutes: readonly Minute[]) => void
  onFault: (fault: unknown) => void
  now: Instant
}

const TAPE_TRADES = 100
/** More than can end while a chart is read from the catalog. */
const RECENT_MINUTES = 10
const MINUTE_MS = 60_000
/** Without a recorded minute there are only the seconds of a run that ended soon. */
const FIRST_RESUME_MS = 600_000

interface Market {
  readonly builder: BarBuilder
  readonly recent: Minute[]
  tape: TapeTrade[]
}

/**
 * The running market as far as it is not in the catalog: bars under way, the latest minutes and the tape. Records
 * seconds in the ring and passes finished minutes on.
 */
export class LiveMarket {
  readonly #options: LiveMarketOptions
  readonly #markets = new Map<InstrumentId, Market>()
  readonly #listeners = new Set<(trades: readonly TapeTrade[]) => void>()
  #finished: Minute[] = []
  #number: number
  #hasFailed = false

  constructor(options: LiveMarketOptions) {
    this.#options = options
    this.#number = options.now * 1_000
    for (const { id } of options.instruments) {
      const builder = createBarBuilder(['1s', '1m'], (bar) => this.#takeBar(id, bar))
      this.#markets.set(id, { builder, recent: [], tape: [] })
      this.#resume(id, builder)
    }
    this.#passMinutes()
  }

  /** Follows the trades of a desk. Returns a function that ends it. */
  follow(desk: Pick<Desk, 'onTrades'>): () => void {
    return desk.onTrades((trades, until) => this.take(trades, until))
  }

  take(trades: readonly TradeTick[], until: Instant): void {
    const numbered = trades.map((trade) => this.#addTrade(trade))
    for (const { builder } of this.#markets.values()) builder.advance(until)
    this.#passMinutes()
    if (numbered.length > 0) for (const listener of this.#listeners) listener(numbered)
  }

  /** Calls the listener with new trades, after the bars have taken them. Returns a function that removes it. */
  onTrades(listener: (trades: readonly TapeTrade[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the latest trades, oldest first. */
  tapeOf(instrument: InstrumentId): readonly TapeTrade[] {
    return this.#markets.get(instrument)?.tape ?? []
  }

  /** Returns the second or minute under way; null when it has no trade yet. */
  current(instrument: InstrumentId, interval: '1s' | '1m'): Bar | null {
    return this.#markets.get(instrument)?.builder.current(interval) ?? null
  }

  /** Returns minutes that ended after the given one, oldest first. */
  minutesAfter(instrument: InstrumentId, start: number): readonly Minute[] {
    return this.#markets.get(instrument)?.recent.filter((minute) => minute.start > start) ?? []
  }

  /** Returns the recorded seconds of a period; none when the ring cannot be read. */
  secondsOf(instrument: InstrumentId, period: { from: number; to: number }) {
    return this.#options.ring.read(instrument, period)
  }

  /** Continues from the seconds of the last run: minutes that it did not end are ended, the one under way goes on. */
  #resume(id: InstrumentId, builder: BarBuilder): void {
    const { now, ring, lastMinuteOf, onFault } = this.#options
    try {
      const last = lastMinuteOf(id) ?? barStart(instantFromMs(now - FIRST_RESUME_MS), '1m')
      const from = Math.max(last + MINUTE_MS, now - RING_SECONDS * 1_000)
      const seconds = ring.read(id, { from, to: now + 1_000 })
      for (let row = 0; row < seconds.length; row++) {
        builder.resume({
          interval: '1s',
          start: instantFromMs(seconds.start[row] ?? 0),
          open: seconds.open[row] ?? 0,
          high: seconds.high[row] ?? 0,
          low: seconds.low[row] ?? 0,
          close: seconds.close[row] ?? 0,
          volume: seconds.volume[row] ?? 0,
          trades: 0,
        })
      }
      builder.advance(now)
    } catch (fault) {
      onFault(fault)
    }
  }

  #addTrade(trade: TradeTick): TapeTrade {
    this.#number += 1
    const numbered = { ...trade, number: this.#number }
    const market = this.#markets.get(trade.instrument)
    market?.builder.trade(trade.at, trade.price, trade.size)
    if (market !== undefined) market.tape = [...market.tape.slice(1 - TAPE_TRADES), numbered]
    return numbered
  }

  #takeBar(instrument: InstrumentId, bar: Bar): void {
    if (bar.interval === '1m') this.#finished.push({ ...bar, instrument })
    else this.#writeSecond(instrument, bar)
  }

  /** A disk that fails costs seconds of the chart, never the market. Logged once, and again after it worked. */
  #writeSecond(instrument: InstrumentId, bar: Bar): void {
    try {
      this.#options.ring.write(instrument, bar)
      this.#hasFailed = false
    } catch (fault) {
      if (!this.#hasFailed) this.#options.onFault(fault)
      this.#hasFailed = true
    }
  }

  #passMinutes(): void {
    if (this.#finished.length === 0) return
    const minutes = this.#finished
    this.#finished = []
    for (const minute of minutes) {
      const recent = this.#markets.get(minute.instrument)?.recent
      recent?.push(minute)
      if (recent !== undefined && recent.length > RECENT_MINUTES) recent.shift()
    }
    this.#options.onMinutes(minutes)
  }
}
