import {
  STREAM_MARKET_INSTRUMENTS_MAX,
  STREAM_MARKET_TOPICS,
  STREAM_TRADES_MAX,
  type StreamTopic,
} from '@binnacle/contract'
import { type InstrumentId, type Interval, idFrom } from '@binnacle/engine'
import type { BarKey, TrackedBar } from '#trading/market/bar-tracks.ts'
import type { TapeTrade } from '#trading/market/live-market.ts'

/** Each client gets of these topics what it chose, and the latest of it. */
export type MarketTopic = (typeof STREAM_MARKET_TOPICS)[number]

export function isMarketTopic(topic: StreamTopic): topic is MarketTopic {
  return STREAM_MARKET_TOPICS.some((market) => market === topic)
}

/** Bars of one instrument and interval that wait to be sent; a slow client loads older ones by its call. */
const MAX_PENDING_BARS = 60
const DEFAULT_INTERVALS: readonly Interval[] = ['1m']

/** What a client sends for a topic of market data. */
export interface MarketSelection {
  readonly instruments: readonly string[] | undefined
  readonly intervals: readonly Interval[] | undefined
}

/** What one client has subscribed of the market, and what it has not been sent of it: bounded, the latest of each. */
export class ClientMarket {
  readonly #instruments: Record<MarketTopic, ReadonlySet<string>> = {
    trades: new Set(),
    bars: new Set(),
    book: new Set(),
  }
  #intervals = DEFAULT_INTERVALS
  #trades: TapeTrade[] = []
  readonly #bars = new Map<string, Map<number, TrackedBar>>()
  readonly #books = new Set<InstrumentId>()

  /** Returns why a selection is refused; undefined if it is valid. */
  static refusalOf({ instruments = [] }: MarketSelection, known: ReadonlySet<string>): string | undefined {
    if (instruments.length === 0) return 'name at least one instrument'
    if (instruments.length > STREAM_MARKET_INSTRUMENTS_MAX)
      return `at most ${STREAM_MARKET_INSTRUMENTS_MAX} instruments`
    const unknown = instruments.find((instrument) => !known.has(instrument))
    return unknown === undefined ? undefined : `there is no instrument '${unknown}'`
  }

  select(topic: MarketTopic, { instruments = [], intervals = DEFAULT_INTERVALS }: MarketSelection): void {
    this.#instruments[topic] = new Set(instruments)
    if (topic === 'bars') this.#intervals = intervals
    this.clear(topic)
  }

  leave(topic: MarketTopic): void {
    this.#instruments[topic] = new Set()
    this.clear(topic)
  }

  /** Forgets what waits, as when a snapshot will show it. */
  clear(topic: MarketTopic): void {
    if (topic === 'trades') this.#trades = []
    else if (topic === 'bars') this.#bars.clear()
    else this.#books.clear()
  }

  instrumentsOf(topic: MarketTopic): InstrumentId[] {
    return [...this.#instruments[topic]].map((instrument) => idFrom<InstrumentId>(instrument))
  }

  get barKeys(): BarKey[] {
    return this.instrumentsOf('bars').flatMap((instrument) =>
      this.#intervals.map((interval) => ({ instrument, interval })),
    )
  }

  addTrades(trades: readonly TapeTrade[]): void {
    const chosen = trades.filter(({ instrument }) => this.#instruments.trades.has(instrument))
    if (chosen.length > 0) this.#trades = [...this.#trades, ...chosen].slice(-STREAM_TRADES_MAX)
  }

  addBars(bars: readonly TrackedBar[]): void {
    for (const bar of bars) {
      if (!this.#instruments.bars.has(bar.instrument) || !this.#intervals.includes(bar.interval)) continue
      const name = `${bar.instrument} ${bar.interval}`
      const pending = this.#bars.get(name) ?? new Map<number, TrackedBar>()
      this.#bars.set(name, pending.set(bar.start, bar))
      const [oldest] = pending.keys()
      if (pending.size > MAX_PENDING_BARS && oldest !== undefined) pending.delete(oldest)
    }
  }

  /** Marks the books of these instruments as changed. */
  addBooks(instruments: readonly InstrumentId[]): void {
    for (const instrument of instruments)
      if (this.#instruments.book.has(instrument)) this.#books.add(instrument)
  }

  /** Returns what waits to be sent, and forgets it. */
  drain(): { trades: TapeTrade[]; bars: TrackedBar[]; books: InstrumentId[] } {
    const waiting = {
      trades: this.#trades,
      bars: [...this.#bars.values()].flatMap((pending) => [...pending.values()]),
      books: [...this.#books],
    }
    for (const topic of STREAM_MARKET_TOPICS) this.clear(topic)
    return waiting
  }
}
