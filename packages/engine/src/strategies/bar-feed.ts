import { type BarColumns, createColumns } from '#market/history.ts'
import { INTERVAL_MS, type Interval } from '#market/interval.ts'
import type { BarTick } from '#market/tick.ts'
import type { InstrumentId } from '#values/ids.ts'
import type { StrategyBar } from './strategy.ts'

/** How many finished bars are remembered, for strategies that begin or change while others listen. */
const REMEMBERED = 512

const NONE = -1

/**
 * The bars of one instrument and length, as strategies hear them: built from trades, or taken as they come when the
 * feed brings finished ones. Each bar is told once, and none that was under way when listening began.
 */
export class BarFeed {
  readonly interval: Interval
  readonly #lengthMs: number
  readonly #past: BarColumns
  #count = 0
  /** When listening began; a bar that began before is not whole. */
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
    this.#past = createColumns(instrument, interval, REMEMBERED)
  }

  /** Writes the bar that is over by now into the given one; says whether there was one. */
  finish(at: number, into: StrategyBar): boolean {
    if (this.#since === NONE) this.#since = at
    if (this.#start === NONE || at < this.#start + this.#lengthMs) return false
    into.start = this.#start
    into.open = this.#open
    into.high = this.#high
    into.low = this.#low
    into.close = this.#close
    into.volume = this.#volume
    this.#start = NONE
    return into.start >= this.#since && this.#remember(into)
  }

  /** Takes a trade into the bar under way; whatever is over must have been finished before. */
  trade(at: number, price: number, size: number): void {
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

  /** Takes a finished bar as it is, in the place of the one under way. */
  take(tick: BarTick, into: StrategyBar): boolean {
    if (tick.interval !== this.interval) return false
    this.#start = NONE
    into.start = tick.at - this.#lengthMs
    into.open = tick.open
    into.high = tick.high
    into.low = tick.low
    into.close = tick.close
    into.volume = tick.volume
    return this.#remember(into)
  }

  /** Takes bars of the past; those that are known already, and what came before them, are passed over. */
  recall(bars: BarColumns, row: number, into: StrategyBar): boolean {
    readRow(bars, row, into)
    return this.#remember(into)
  }

  /** Tells the remembered bars again, oldest first. */
  retell(into: StrategyBar, hear: (bar: StrategyBar) => void): void {
    const from = Math.max(0, this.#count - REMEMBERED)
    for (let number = from; number < this.#count; number++) {
      readRow(this.#past, number % REMEMBERED, into)
      hear(into)
    }
  }

  /** Returns the remembered bars, oldest first. */
  recent(): BarColumns {
    const { instrument } = this.#past
    const length = Math.min(this.#count, REMEMBERED)
    const bars = createColumns(instrument, this.interval, length)
    for (let row = 0; row < length; row++)
      copyRow(this.#past, (this.#count - length + row) % REMEMBERED, bars, row)
    return bars
  }

  #remember(bar: StrategyBar): boolean {
    if (bar.start <= this.#lastStart) return false
    this.#lastStart = bar.start
    const row = this.#count % REMEMBERED
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
