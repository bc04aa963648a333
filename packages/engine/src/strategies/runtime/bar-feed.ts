import { type BarColumns, createColumns } from '#market/history.ts'
import { INTERVAL_MS, type Interval } from '#model/interval.ts'
import type { BarTick } from '#model/tick.ts'
import type { StrategyBar } from '#strategies/strategy.ts'
import type { InstrumentId } from '#values/ids.ts'

/** The number of past bars kept, for strategies that start or change while others run. */
const MAX_PAST_BARS = 512

const NONE = -1

/**
 * The bars of one instrument and interval for strategies: built from trades, or taken from the feed if it has finished
 * ones. Each bar is delivered once, and none that was incomplete when the subscription began.
 */
export class BarFeed {
  readonly interval: Interval
  readonly #lengthMs: number
  readonly #past: BarColumns
  #count = 0
  /** When the subscription began; an earlier bar is incomplete. */
  #since = NONE
  #lastStart = NONE
  #start = NONE
  #open = 0
  #high = 0
  #low = 0
  #close = 0
  #volume = 0

  constructor(instrument: InstrumentId, interval: Interval) {
    this.interval = interval
    this.#lengthMs = INTERVAL_MS[interval]
    this.#past = createColumns(instrument, interval, MAX_PAST_BARS)
  }

  /** Writes the bar that has ended by now into `into`; returns whether there was one. */
  finishBar(at: number, into: StrategyBar): boolean {
    if (this.#since === NONE) this.#since = at
    if (this.#start === NONE || at < this.#start + this.#lengthMs) return false
    into.start = this.#start
    into.open = this.#open
    into.high = this.#high
    into.low = this.#low
    into.close = this.#close
    into.volume = this.#volume
    this.#start = NONE
    return into.start >= this.#since && this.#store(into)
  }

  /** Adds a trade to the current bar; an ended bar must have been finished before. */
  addTrade(at: number, price: number, size: number): void {
    if (this.#start === NONE) {
      this.#start = at - (at % this.#lengthMs)
      this.#open = this.#high = this.#low = price
      this.#volume = 0
    }
    if (price > this.#high) this.#high = price
    if (price < this.#low) this.#low = price
    this.#close = price
    this.#volume += size
  }

  /** Takes a finished bar from the feed instead of the one being built. */
  addBar(tick: BarTick, into: StrategyBar): boolean {
    if (tick.interval !== this.interval) return false
    this.#start = NONE
    into.start = tick.at - this.#lengthMs
    into.open = tick.open
    into.high = tick.high
    into.low = tick.low
    into.close = tick.close
    into.volume = tick.volume
    return this.#store(into)
  }

  /** Adds a past bar; returns false for one that is known or older. */
  addPastBar(bars: BarColumns, row: number, into: StrategyBar): boolean {
    readRow(bars, row, into)
    return this.#store(into)
  }

  /** Calls back with each past bar, oldest first. */
  forEachPastBar(into: StrategyBar, onBar: (bar: StrategyBar) => void): void {
    const from = Math.max(0, this.#count - MAX_PAST_BARS)
    for (let number = from; number < this.#count; number++) {
      readRow(this.#past, number % MAX_PAST_BARS, into)
      onBar(into)
    }
  }

  /** Returns the past bars, oldest first. */
  getPastBars(): BarColumns {
    const { instrument } = this.#past
    const length = Math.min(this.#count, MAX_PAST_BARS)
    const bars = createColumns(instrument, this.interval, length)
    for (let row = 0; row < length; row++)
      copyRow(this.#past, (this.#count - length + row) % MAX_PAST_BARS, bars, row)
    return bars
  }

  #store(bar: StrategyBar): boolean {
    if (bar.start <= this.#lastStart) return false
    this.#lastStart = bar.start
    const row = this.#count % MAX_PAST_BARS
    this.#count += 1
    this.#past.start[row] = bar.start
    this.#past.open[row] = bar.open
    this.#past.high[row] = bar.high
    this.#past.low[row] = bar.low
    this.#past.close[row] = bar.close
    this.#past.volume[row] = bar.volume
    return true
  }
}

function readRow(bars: BarColumns, row: number, into: StrategyBar): void {
  into.start = bars.start[row] ?? 0
  into.open = bars.open[row] ?? 0
  into.high = bars.high[row] ?? 0
  into.low = bars.low[row] ?? 0
  into.close = bars.close[row] ?? 0
  into.volume = bars.volume[row] ?? 0
}

function copyRow(from: BarColumns, row: number, to: BarColumns, at: number): void {
  for (const name of ['start', 'open', 'high', 'low', 'close', 'volume'] as const) {
    to[name][at] = from[name][row] ?? 0
  }
}
