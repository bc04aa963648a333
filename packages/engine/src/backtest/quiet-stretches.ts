import {
  askAt,
  type BarReplayOptions,
  barEndAt,
  bidAt,
  bothSidesAt,
  halfSpreadAt,
  QUARTERS,
  ReusedTicks,
} from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import type { QuoteTick } from '#model/tick.ts'
import type { Runner } from '#strategies/runtime/running-strategies.ts'
import type { ClosingQuotes } from '#strategies/strategy.ts'
import type { Instant } from '#values/instant.ts'
import type { BacktestLoop } from './backtest-loop.ts'
import { boundaryPeriodMs, nextBoundary } from './boundary.ts'
import { PriceRange } from './price-range.ts'
import type { Recorder } from './recorder.ts'
import { RiskWatch } from './risk-watch.ts'

const CLOSE = QUARTERS - 1

/** The bars of the traded instrument and the price path within them. */
export interface PlayedBars {
  readonly columns: BarColumns
  readonly path: BarReplayOptions
  readonly instruments: Instruments
}

/**
 * Skips bars in which nothing can happen. A bar is quiet when no order works, no message is in transit, the strategy
 * has no intent, no day begins, no funding is due, and the marks of the position neither reach the daily loss limit nor
 * set a new high-water mark or a recorded drawdown. Every other bar goes through the engine, so the events equal those
 * of the slow loop; a property test compares both.
 */
export class QuietStretches implements ClosingQuotes {
  readonly #columns: BarColumns
  readonly #path: BarReplayOptions
  readonly #loop: BacktestLoop
  readonly #recorder: Recorder
  readonly #watch: RiskWatch
  readonly #range = new PriceRange()
  readonly #ticks = new ReusedTicks()
  readonly #index: number
  readonly #periodMs: number
  /** The lowest and highest price of all bars. */
  readonly #lowest: number
  readonly #highest: number
  readonly #isNearZero: boolean
  #isHeld = false
  #base = 0
  #perTick = 0
  #canLose = false
  /** The last row whose close was sent to engine and venue. */
  #marked = -1
  /** The next row with a time event: a new day or funding. */
  #boundary = -1

  constructor(bars: PlayedBars, loop: BacktestLoop, recorder: Recorder) {
    const { columns, path, instruments } = bars
    this.#columns = columns
    this.#path = path
    this.#loop = loop
    this.#recorder = recorder
    this.#watch = new RiskWatch(loop.engine)
    this.#index = instruments.indexOf(columns.instrument)
    this.#range.scan(columns, 0, columns.length)
    this.#lowest = this.#range.low
    this.#highest = this.#range.high
    this.#isNearZero = this.#lowest - halfSpreadAt(this.#lowest, path) < 1
    this.#periodMs = boundaryPeriodMs(instruments)
  }

  canBegin(): boolean {
    return this.#loop.isIdle && this.#runner() !== null
  }

  /**
   * Advances from a row to at most `to`; returns the first row that is not done. `answer` is called at the end of a bar
   * in which the strategy may act.
   */
  pass(from: number, to: number, answer: ((at: Instant) => void) | null): number {
    if (from > this.#boundary) this.#boundary = nextBoundary(this.#columns, from, this.#periodMs)
    const runner = this.#runner()
    if (runner === null) return from
    this.#refresh()
    const end = Math.min(to, this.#boundary)
    const acting = runner.strategy.takeQuiet?.(this.#columns, from, end, runner.context, this) ?? from
    this.#passQuiet(from, acting)
    if (acting === to) return acting
    this.#act(acting, answer)
    return acting + 1
  }

  /** Updates marks to the close before a row that is played in full. */
  catchUp(row: number): void {
    if (row - 1 > this.#marked) this.#mark(row - 1)
  }

  notePlayed(row: number): void {
    this.#marked = row
  }

  bid(row: number): number {
    return bidAt(this.#columns.close[row] ?? 0, this.#path)
  }

  ask(row: number): number {
    return askAt(this.#columns.close[row] ?? 0, this.#path)
  }

  /** The only running strategy, if it supports skipping. */
  #runner(): Runner | null {
    const runner = this.#loop.engine.live.sole
    if (runner === null || runner.next !== null) return null
    const { strategy } = runner
    const isSkippable =
      strategy.takeQuiet !== undefined &&
      strategy.onQuote === undefined &&
      strategy.interval === this.#columns.interval
    return isSkippable ? runner : null
  }

  /** Rows without an intent; an open position may still need the engine. */
  #passQuiet(from: number, to: number): void {
    const isHeld = this.#isHeld
    for (let row = from; row < to; ) {
      const next = Math.min(to, row + this.#recorder.rowsToPoint)
      if (isHeld && !this.#passAtOnce(row, next)) this.#passOneByOne(row, next)
      else {
        this.#recorder.skipRows(next - row - 1, isHeld)
        this.#recorder.row(barEndAt(this.#columns, next - 1), this.#equityAtClose(next - 1), isHeld)
      }
      row = next
    }
  }

  /** Skips all rows if equity stays within bounds that neither engine nor recorder must check per row. */
  #passAtOnce(from: number, to: number): boolean {
    const range = this.#range
    // Near zero the quotes are no longer symmetric around the price.
    if (this.#isNearZero) return false
    range.scanCloses(this.#columns, from, to)
    const one = this.#equityAt(range.lowClose)
    const other = this.#equityAt(range.highClose)
    const worst = Math.min(one, other)
    const best = Math.max(one, other)
    const { equity } = this.#recorder
    if (best >= equity.peak || !this.#watch.isCalm(worst, best)) return false
    if (this.#canLose && !this.#isSafe(from, to)) return false
    equity.noteBelowPeak(worst)
    return true
  }

  /** Returns whether no price within the rows reaches the daily loss limit. */
  #isSafe(from: number, to: number): boolean {
    this.#range.scan(this.#columns, from, to)
    return !this.#watch.isLoss(this.#worstOf(this.#range.low, this.#range.high))
  }

  #worstOf(low: number, high: number): number {
    return Math.min(this.#equityAt(low), this.#equityAt(high))
  }

  #passOneByOne(from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const equity = this.#equityAtClose(row)
      const isCalm = this.#isQuietInside(row)
      if (!isCalm) this.#playQuotes(row)
      if (!isCalm || this.#watch.isSampled(equity)) this.#passTime(row)
      this.#recorder.row(barEndAt(this.#columns, row), equity, true)
    }
  }

  /** The row in which the strategy may act, or a time event occurs. */
  #act(row: number, answer: ((at: Instant) => void) | null): void {
    const { engine } = this.#loop
    const isWhole = row === this.#boundary || (this.#isHeld && !this.#isQuietInside(row))
    if (isWhole) this.#playQuotes(row)
    else this.#moveMark(row)
    this.#loop.accept(this.#ticks.bar(this.#columns, row))
    answer?.(barEndAt(this.#columns, row))
    const before = engine.valuation.equity()
    const isTimeFelt =
      isWhole || !this.#loop.isIdle || this.#watch.isSampled(before) || this.#watch.isLoss(before)
    if (isTimeFelt) this.#passTime(row)
    const isHeld = engine.state.positions.open.size > 0
    this.#recorder.row(barEndAt(this.#columns, row), engine.valuation.equity(), isHeld)
  }

  #isQuietInside(row: number): boolean {
    if (this.#isNearZero) return false
    return !this.#canLose || this.#isSafe(row, row + 1)
  }

  /** No order works, so trades of others have no effect and only quotes are played. */
  #playQuotes(row: number): void {
    this.catchUp(row)
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      this.#loop.accept(this.#quoteAt(row, quarter))
    }
    this.#marked = row
  }

  /** Nothing reacts to the close: the strategy takes bars, and risk is within its limits. */
  #moveMark(row: number): void {
    this.#loop.mark(this.#quoteAt(row, CLOSE))
    this.#marked = row
  }

  #mark(row: number): void {
    this.#loop.accept(this.#quoteAt(row, CLOSE))
    this.#marked = row
  }

  #quoteAt(row: number, quarter: number): QuoteTick {
    return this.#ticks.quote(this.#columns, row, quarter, this.#path)
  }

  #passTime(row: number): void {
    if (this.#marked < row) this.#mark(row)
    this.#loop.accept({ kind: 'timer', at: barEndAt(this.#columns, row) })
  }

  #equityAtClose(row: number): number {
    return this.#equityAt(this.#columns.close[row] ?? 0)
  }

  /** Computed exactly as the engine does, so both agree to the last bit. */
  #equityAt(ticks: number): number {
    return this.#base + (this.#perTick * bothSidesAt(ticks, this.#path)) / 2
  }

  /** Copies the position; it is constant until the strategy acts. */
  #refresh(): void {
    const { valuation } = this.#loop.engine
    this.#isHeld = valuation.isHeld(this.#index)
    this.#base = valuation.equityWithout(this.#index)
    this.#perTick = valuation.perTick(this.#index)
    // If no price of the whole run can reach the limit, no bar needs the check.
    this.#canLose = this.#isHeld && this.#watch.isLoss(this.#worstOf(this.#lowest, this.#highest))
  }
}
