import {
  askAt,
  type BarReplayOptions,
  barEndAt,
  bidAt,
  halfSpreadAt,
  pathPrice,
  QUARTERS,
  quarterAt,
  quoteOfBar,
} from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import { createMarks, type Marks } from '#market/marks.ts'
import type { PlayedBars, QuarterOfRow, Strategy } from '#strategies/strategy.ts'
import { assert } from '#values/bug.ts'
import type { Instant } from '#values/instant.ts'
import type { BacktestLoop } from './backtest-loop.ts'
import type { BarPlayer, InstrumentCursor } from './bar-player.ts'
import { boundaryPeriodMs, nextBoundary } from './boundary.ts'
import { PriceRange } from './price-range.ts'
import type { Recorder } from './recorder.ts'
import { RiskWatch } from './risk-watch.ts'
import { TrialContext } from './trial-context.ts'

/** The bars of the traded instruments and the price path within them. */
export interface QuotedBars {
  readonly bars: readonly BarColumns[]
  readonly path: BarReplayOptions
  readonly instruments: Instruments
  readonly player: BarPlayer
}

const CLOSE = QUARTERS - 1

/**
 * Plays bars for a strategy that acts on quotes and skips the quotes to which nothing happens: no order works, no message
 * is in transit, the strategy has no intent, and the marks of its positions do not reach the daily loss limit. A skipped
 * quote only moves the engine's mark; the venue receives the last one before anything else. Trades and bars matter only
 * to working orders and are skipped as well. The events equal those of the slow loop; a property test compares both.
 */
export class QuietQuotes {
  readonly #bars: readonly BarColumns[]
  readonly #path: BarReplayOptions
  readonly #instruments: Instruments
  readonly #player: BarPlayer
  readonly #loop: BacktestLoop
  readonly #recorder: Recorder
  readonly #watch: RiskWatch
  readonly #marks: Marks
  readonly #periodMs: number
  /** Whether all instruments have bars of the same starts. */
  readonly isAligned: boolean
  /** By instrument, as all that follows: its bars. */
  readonly #columns: readonly (BarColumns | undefined)[]
  /** The price range of all bars. */
  readonly #lowest: Float64Array
  readonly #highest: Float64Array
  /** The quote that the venue has not received; row -1 if it has all. */
  readonly #pendingRow: Int32Array
  readonly #pendingQuarter: Uint8Array
  /** Quotes to value the account at, in place of the marks. */
  readonly #supposed: Marks
  #isPending = false
  #probe: StrategyProbe | null = null
  #seq = -1
  #isQuiet = false
  #canLose = false
  #lastEnd = 0
  #boundary = -1

  constructor({ bars, path, instruments, player }: QuotedBars, loop: BacktestLoop, recorder: Recorder) {
    this.#player = player
    const count = instruments.all.length
    this.#bars = bars
    this.#path = path
    this.#instruments = instruments
    this.#loop = loop
    this.#recorder = recorder
    this.#watch = new RiskWatch(loop.engine)
    this.#marks = loop.engine.marks
    this.#periodMs = boundaryPeriodMs(instruments)
    this.isAligned = areAligned(bars)
    this.#columns = instruments.all.map(({ id }) => bars.find(({ instrument }) => instrument === id))
    this.#lowest = new Float64Array(count)
    this.#highest = new Float64Array(count)
    this.#pendingRow = new Int32Array(count).fill(-1)
    this.#pendingQuarter = new Uint8Array(count)
    this.#supposed = createMarks(count)
    const range = new PriceRange()
    for (const columns of bars) {
      const index = instruments.indexOf(columns.instrument)
      range.scan(columns, 0, columns.length)
      this.#lowest[index] = range.low
      this.#highest[index] = range.high
    }
  }

  /** Skips rows from this one on, at most to `to`, in which nothing can happen; returns the first that is not done. */
  skip(from: number, to: number): number {
    const [columns] = this.#bars
    const probe = this.isAligned ? this.#findProbe() : null
    if (probe === null || columns === undefined || !this.#loop.isIdle) return from
    if (from > this.#boundary) this.#boundary = nextBoundary(columns, from, this.#periodMs)
    this.#refresh()
    const end = probe.findActingRow(from, Math.min(to, this.#boundary))
    const done = this.#isHeld() ? this.#passHeld(from, end) : this.#passIdle(from, end)
    if (done > from) this.#moveAll(done - 1)
    return done
  }

  /** Plays a bar of each of these instruments; returns false if every tick of them has to go through the engine. */
  play(current: readonly InstrumentCursor[]): boolean {
    const probe = this.#findProbe()
    const [first] = current
    if (first === undefined || probe === null) return false
    const at = barEndAt(first.columns, first.row)
    const isBoundary = Math.floor(at / this.#periodMs) !== Math.floor(this.#lastEnd / this.#periodMs)
    this.#lastEnd = at
    if (isBoundary) return false
    this.#refresh()
    this.#isQuiet = this.#canSkip(current)
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      for (const cursor of current) this.#playQuarter(probe, cursor, quarter, current)
    }
    this.#endBar(current, at)
    return true
  }

  /** Sends the venue the quotes that it has not received. */
  catchUp(): void {
    if (!this.#isPending) return
    this.#isPending = false
    const rows = this.#pendingRow
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? -1
      const columns = this.#columns[index]
      if (row < 0 || columns === undefined) continue
      this.#loop.mark(quoteOfBar(columns, row, this.#pendingQuarter[index] ?? 0, this.#path))
      rows[index] = -1
    }
  }

  /** Without a position equity is constant. */
  #passIdle(from: number, to: number): number {
    const equity = this.#loop.engine.valuation.equity()
    for (let row = from; row < to; ) {
      const next = Math.min(to, row + this.#recorder.rowsToPoint)
      this.#recorder.skipRows(next - row - 1, false)
      this.#recorder.row(this.#endOf(next - 1), equity, false)
      row = next
    }
    return to
  }

  #passHeld(from: number, to: number): number {
    const { valuation } = this.#loop.engine
    for (let row = from; row < to; row++) {
      if (this.#canLose && this.#mayLose(row)) return row
      for (let index = 0; index < this.#columns.length; index++) {
        if (valuation.isHeld(index)) this.#suppose(index, this.#columns[index]?.close[row] ?? 0)
      }
      const equity = valuation.equityAt(this.#supposed)
      if (this.#watch.isSampled(equity)) this.#passTime(row)
      this.#recorder.row(this.#endOf(row), equity, true)
    }
    return to
  }

  #passTime(row: number): void {
    this.#moveAll(row)
    this.catchUp()
    this.#loop.accept({ kind: 'timer', at: this.#endOf(row) })
  }

  /** Moves the marks of all instruments to the close of a row. */
  #moveAll(row: number): void {
    this.#lastEnd = this.#endOf(row)
    for (let index = 0; index < this.#columns.length; index++) {
      const columns = this.#columns[index]
      if (columns !== undefined) this.#move(columns, index, row, CLOSE)
    }
  }

  #playQuarter(
    probe: StrategyProbe,
    cursor: InstrumentCursor,
    quarter: number,
    current: readonly InstrumentCursor[],
  ): void {
    const { columns, row, index } = cursor
    if (this.#isQuiet) {
      this.#move(columns, index, row, quarter)
      if (this.isAligned && !probe.mayActAt(index, row, quarter)) return
      if (probe.isQuietAt(index, this.#marks.at[index] ?? 0)) return
      this.#pendingRow[index] = -1
    }
    this.catchUp()
    this.#loop.accept(quoteOfBar(columns, row, quarter, this.#path))
    this.#refresh()
    this.#isQuiet = this.#canSkip(current)
    if (this.#isQuiet) return
    this.#player.playTrade(cursor, quarter)
    this.#refresh()
    this.#isQuiet = this.#canSkip(current)
  }

  #endBar(current: readonly InstrumentCursor[], at: Instant): void {
    const { valuation } = this.#loop.engine
    if (!this.#isQuiet) for (const cursor of current) this.#player.playEnd(cursor, at)
    if (this.#player.isTimeFelt(at)) {
      this.catchUp()
      this.#loop.accept({ kind: 'timer', at })
    }
    this.#recorder.row(at, valuation.equity(), this.#isHeld())
  }

  /** Moves a mark; the venue receives the quote later. */
  #move(columns: BarColumns, index: number, row: number, quarter: number): void {
    const ticks = pathPrice(columns, row, quarter)
    const half = halfSpreadAt(ticks, this.#path)
    const bid = Math.max(1, ticks - half)
    this.#marks.bid[index] = bid
    this.#marks.ask[index] = Math.max(bid + 1, ticks + half)
    this.#marks.at[index] = quarterAt(columns, row, quarter)
    this.#pendingRow[index] = row
    this.#pendingQuarter[index] = quarter
    this.#isPending = true
  }

  #endOf(row: number): Instant {
    const [columns] = this.#bars
    assert(columns !== undefined, 'a run without bars')
    return barEndAt(columns, row)
  }

  #isHeld(): boolean {
    return this.#loop.engine.state.positions.open.size > 0
  }

  /** Returns the only running strategy, if it can be run without the engine. */
  #findProbe(): StrategyProbe | null {
    const runner = this.#loop.engine.live.sole
    // New settings are applied in the engine.
    if (runner === null || runner.next !== null) return null
    const { strategy, context } = runner
    if (strategy.findActingRow === undefined || strategy.interval !== null) return null
    if (this.#probe?.strategy === strategy) return this.#probe
    const indices = strategy.instruments.map((id) => this.#instruments.indexOf(id))
    const bars = indices.flatMap((index) => this.#columns[index] ?? [])
    if (bars.length < indices.length) return null
    const trial = new TrialContext(context, this.#marks, indices)
    this.#probe = new StrategyProbe(strategy, trial, indices, { bars, path: this.#path })
    this.#seq = -1
    return this.#probe
  }

  /** Copies what is constant until the next entry. */
  #refresh(): void {
    const { seq } = this.#loop.engine.state
    if (seq === this.#seq) return
    this.#seq = seq
    this.#probe?.trial.refresh()
    for (let index = 0; index < this.#columns.length; index++)
      this.#supposeWorst(index, this.#lowest[index] ?? 0, this.#highest[index] ?? 0)
    // If no price of the whole run can reach the limit, no bar needs the check.
    this.#canLose = this.#isHeld() && this.#isLossSupposed()
  }

  #canSkip(current: readonly InstrumentCursor[]): boolean {
    if (!this.#loop.isIdle) return false
    if (!this.#canLose) return true
    this.#supposed.bid.set(this.#marks.bid)
    this.#supposed.ask.set(this.#marks.ask)
    for (const { columns, row, index } of current) this.#supposeWorstOf(index, columns, row)
    return !this.#isLossSupposed()
  }

  #mayLose(row: number): boolean {
    for (let index = 0; index < this.#columns.length; index++) {
      const columns = this.#columns[index]
      if (columns !== undefined) this.#supposeWorstOf(index, columns, row)
    }
    return this.#isLossSupposed()
  }

  #isLossSupposed(): boolean {
    return this.#watch.isLoss(this.#loop.engine.valuation.equityAt(this.#supposed))
  }

  /** Until its first quote in the bar an instrument is marked at the close before, which may lie outside the bar. */
  #supposeWorstOf(index: number, columns: BarColumns, row: number): void {
    const low = columns.low[row] ?? 0
    const high = columns.high[row] ?? 0
    const before = columns.close[row - 1] ?? low
    this.#supposeWorst(index, Math.min(low, before), Math.max(high, before))
  }

  #supposeWorst(index: number, low: number, high: number): void {
    const isLong = this.#loop.engine.valuation.perTick(index) > 0
    this.#suppose(index, isLong ? low : high)
  }

  #suppose(index: number, ticks: number): void {
    this.#supposed.bid[index] = bidAt(ticks, this.#path)
    this.#supposed.ask[index] = askAt(ticks, this.#path)
  }
}

/** A strategy that is run for its intents without executing them. */
class StrategyProbe {
  readonly strategy: Strategy
  readonly trial: TrialContext
  readonly #played: PlayedBars
  /** By instrument. */
  readonly #slots: Int32Array
  readonly #at: QuarterOfRow = { row: 0, quarter: 0 }

  constructor(strategy: Strategy, trial: TrialContext, indices: readonly number[], played: PlayedBars) {
    this.strategy = strategy
    this.trial = trial
    this.#played = played
    this.#slots = new Int32Array(Math.max(...indices) + 1).fill(-1)
    indices.forEach((index, slot) => {
      this.#slots[index] = slot
    })
  }

  findActingRow(from: number, to: number): number {
    return this.strategy.findActingRow?.(this.#played, from, to, this.trial) ?? from
  }

  /** Returns whether it may have an intent at a quarter of a row of an instrument, by the bars. */
  mayActAt(index: number, row: number, quarter: number): boolean {
    const slot = this.#slots[index] ?? -1
    if (slot < 0) return false
    this.#at.row = row
    this.#at.quarter = quarter
    return this.strategy.mayActAt?.(this.#played, slot, this.#at, this.trial) ?? true
  }

  /** Returns whether it has no intent at the latest quote of an instrument. */
  isQuietAt(index: number, now: number): boolean {
    const slot = this.#slots[index] ?? -1
    if (slot < 0) return true
    this.trial.now = now
    this.trial.hasIntent = false
    try {
      this.strategy.onQuote?.(slot, this.trial)
    } catch {
      // The engine calls it again and fails the strategy.
      return false
    }
    return !this.trial.hasIntent
  }
}

function areAligned([first, ...others]: readonly BarColumns[]): boolean {
  return first !== undefined && others.every((other) => haveEqualStarts(first, other))
}

function haveEqualStarts(one: BarColumns, other: BarColumns): boolean {
  if (one.length !== other.length) return false
  for (let row = 0; row < one.length; row++) if (one.start[row] !== other.start[row]) return false
  return true
}
