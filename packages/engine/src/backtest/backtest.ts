import type { BarReplayOptions } from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import { earliestOf } from '#market/replay-feed.ts'
import type { Command } from '#model/input.ts'
import { INTERVALS } from '#model/interval.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { Refusal } from '#model/reasons.ts'
import type { RawLimits } from '#model/risk.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { assert } from '#values/bug.ts'
import { strategyId } from '#values/ids.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import { BacktestLoop } from './backtest-loop.ts'
import { BarPlayer, type InstrumentCursor } from './bar-player.ts'
import { QuietQuotes } from './quiet-quotes.ts'
import { QuietStretches } from './quiet-stretches.ts'
import { type BacktestReport, Recorder } from './recorder.ts'

/** Increased whenever the same request over the same bars gives another result. */
export const BACKTEST_REVISION = 7

const ONLY_STRATEGY = strategyId(1)

export interface BacktestOptions {
  /** The instruments traded, with the fees of this run. */
  readonly instruments: Instruments
  /** One per instrument, all of one interval. */
  readonly bars: readonly BarColumns[]
  readonly strategy: { readonly type: string; readonly config: Readonly<Record<string, unknown>> }
  readonly capital: number
  readonly limits: RawLimits
  /** Distance of the quotes from each price: the slippage of a market order. */
  readonly slippageBps: number
  readonly latencyMs: number
  readonly seed: number
  /** Strategy kinds besides the built-in ones. */
  readonly kinds?: readonly StrategyKind[]
  /** Plays every bar, quiet or not; the reference for the fast path. */
  readonly isStepByStep?: boolean
  readonly onEntry?: (entry: JournalEntry) => void
}

/** A strategy in another process, awaited after each bar. */
export interface LockStep {
  readonly isWaiting: boolean
  answers(): Promise<readonly Command[]>
}

/** A strategy outside the engine but in the same process, called after each bar in which it may act. */
export interface Hosted {
  readonly isWaiting: boolean
  answers(): readonly Command[]
  /** Whether to return after the current bar. */
  readonly isPaused: boolean
}

interface BacktestFailure {
  readonly reason: string
  /** In market time. */
  readonly at: Instant
}

/** A running backtest. The same options always give the same report. */
export interface Backtest {
  /** The number of bar ends, and how many are done. */
  readonly rows: number
  readonly done: number
  /** Why and when the strategy failed; results after that are meaningless. */
  readonly failure: BacktestFailure | null
  /** Advances by about this many bars, fewer if the hosted strategy pauses. */
  advance(rows: number, hosted?: Hosted): void
  /** Advances in lock-step with a strategy in another process. */
  advanceInStep(rows: number, port: LockStep): Promise<void>
  /** Returns the result once all bars are done. */
  report(): BacktestReport
}

/** Creates a backtest over recorded bars with the live engine; refuses invalid strategy settings. */
export function createBacktest(options: BacktestOptions): Result<Backtest, Refusal> {
  const run = new BarByBar(options)
  const refusal = run.open()
  return refusal === null ? ok(run) : refuse(refusal)
}

class BarByBar implements Backtest {
  readonly rows: number
  readonly #options: BacktestOptions
  readonly #path: BarReplayOptions
  readonly #cursors: readonly InstrumentCursor[]
  readonly #recorder: Recorder
  readonly #loop: BacktestLoop
  readonly #player: BarPlayer
  #quiet: QuietStretches | null = null
  #quotes: QuietQuotes | null = null
  done = 0

  constructor(options: BacktestOptions) {
    const { instruments, capital, onEntry } = options
    const bars = options.bars.map((columns) => withOwnNames(columns, instruments))
    this.#options = { ...options, bars }
    this.#path = { halfSpreadTicks: 1, halfSpreadBps: options.slippageBps }
    this.#cursors = bars.map((columns) => ({
      columns,
      row: 0,
      index: instruments.indexOf(columns.instrument),
    }))
    this.rows = countStarts(bars)
    const startAt = startOf(bars)
    this.#recorder = new Recorder({ instruments, capital, rows: this.rows, startAt, onEntry })
    this.#loop = new BacktestLoop(options, this.#recorder)
    const { isStepByStep: isComplete = false } = options
    this.#player = new BarPlayer({ path: this.#path, instruments, isComplete }, this.#loop)
  }

  open(): Refusal | null {
    const { instruments, capital, limits, strategy, bars, isStepByStep = false } = this.#options
    const at = startOf(bars)
    const venues = [...new Set(instruments.all.map(({ venue }) => venue))]
    const { type: strategyType, config } = strategy
    const commands: Command[] = [
      { type: 'OpenDesk', cash: capital, limits, venues },
      { type: 'AddStrategy', name: strategyType, strategyType, description: '', config },
      { type: 'StartStrategy', strategy: ONLY_STRATEGY },
    ]
    for (const command of commands) {
      const refusal = this.#loop.submit(command, at)
      if (refusal !== null) return refusal
    }
    if (isStepByStep) return null
    const [only] = bars
    if (bars.length === 1 && only !== undefined) {
      const played = { columns: only, path: this.#path, instruments }
      this.#quiet = new QuietStretches(played, this.#loop, this.#recorder)
    } else
      this.#quotes = new QuietQuotes(
        { bars, path: this.#path, instruments, player: this.#player },
        this.#loop,
        this.#recorder,
      )
    return null
  }

  get failure(): BacktestFailure | null {
    const record = this.#loop.engine.state.strategies.all.get(ONLY_STRATEGY)
    if (record?.status !== 'error') return null
    return { reason: record.reason ?? '', at: record.changedAt }
  }

  advance(rows: number, hosted?: Hosted): void {
    const to = Math.min(this.rows, this.done + rows)
    const quiet = this.#quiet
    const quotes = this.#quotes
    const cursor = this.#cursors[0]
    const answer = hosted === undefined ? null : (at: Instant) => this.#submitAnswers(hosted, at)
    while (this.done < to && hosted?.isPaused !== true) {
      if (quiet?.canBegin() && cursor !== undefined) {
        this.done = quiet.pass(this.done, to, answer)
        cursor.row = this.done
      } else if (quotes === null || !this.#playQuotes(quotes, to)) {
        const at = this.#playBar()
        answer?.(at)
        this.#endBar(at)
      }
    }
  }

  #submitAnswers(hosted: Hosted, at: Instant): void {
    while (hosted.isWaiting) for (const command of hosted.answers()) this.#loop.submit(command, at)
  }

  async advanceInStep(rows: number, port: LockStep): Promise<void> {
    const to = Math.min(this.rows, this.done + rows)
    while (this.done < to) {
      const at = this.#playBar()
      while (port.isWaiting) for (const command of await port.answers()) this.#loop.submit(command, at)
      this.#endBar(at)
    }
  }

  report(): BacktestReport {
    assert(this.done === this.rows, 'a report before the end')
    return this.#recorder.report(this.#loop.engine.state)
  }

  /** Plays the next bars without what changes nothing; returns false if the next one has to be played in full. */
  #playQuotes(quotes: QuietQuotes, to: number): boolean {
    const [first] = this.#cursors
    const from = first?.row ?? 0
    const skipped = quotes.skip(from, from + to - this.done) - from
    if (skipped > 0) for (const cursor of this.#cursors) cursor.row += skipped
    this.done += skipped
    if (this.done === to) return true
    const current = quotes.isAligned ? this.#cursors : earliestOf(this.#cursors)
    if (!quotes.play(current)) return false
    for (const cursor of current) cursor.row += 1
    this.done += 1
    return true
  }

  /** Plays the next bar of every instrument that has one; returns the end of those bars. */
  #playBar(): Instant {
    this.#quiet?.catchUp(this.done)
    this.#quotes?.catchUp()
    const current = earliestOf(this.#cursors)
    const at = this.#player.play(current)
    for (const cursor of current) cursor.row += 1
    this.#quiet?.notePlayed(this.done)
    return at
  }

  #endBar(at: Instant): void {
    const { engine } = this.#loop
    this.#player.playTime(at)
    this.#recorder.row(at, engine.valuation.equity(), engine.state.positions.open.size > 0)
    this.done += 1
  }
}

/**
 * Names from another thread are equal to the engine's but other strings: comparing them is slow, and looking up by them
 * makes V8 discard its optimised code.
 */
function withOwnNames(columns: BarColumns, instruments: Instruments): BarColumns {
  const { id } = instruments.get(columns.instrument)
  const interval = INTERVALS.find((own) => own === columns.interval)
  assert(interval !== undefined, 'no interval', columns.interval)
  return { ...columns, instrument: id, interval }
}

function startOf(bars: readonly BarColumns[]): Instant {
  return instantFromMs(Math.min(...bars.map(({ start }) => start[0] ?? Number.POSITIVE_INFINITY)))
}

/** Returns the number of distinct bar starts. */
function countStarts(bars: readonly BarColumns[]): number {
  const [only] = bars
  if (bars.length === 1 && only !== undefined) return only.length
  const cursors = bars.map((columns) => ({ columns, row: 0 }))
  let count = 0
  for (let current = earliestOf(cursors); current.length > 0; current = earliestOf(cursors)) {
    for (const cursor of current) cursor.row += 1
    count += 1
  }
  return count
}
