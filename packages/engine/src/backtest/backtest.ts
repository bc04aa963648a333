import type { Command } from '#input.ts'
import type { JournalEntry } from '#journal/entry.ts'
import {
  type BarReplayOptions,
  barEndAt,
  barTickOf,
  QUARTERS,
  quoteOfBar,
  tradeOfBar,
} from '#market/bar-path.ts'
import type { BarColumns } from '#market/history.ts'
import type { Instruments } from '#market/instruments.ts'
import { type BarCursor, earliestOf } from '#market/replay-feed.ts'
import type { Refusal } from '#orders/reasons.ts'
import type { LimitsGiven } from '#risk/limits.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { assert } from '#values/bug.ts'
import { strategyId } from '#values/ids.ts'
import { type Instant, instant } from '#values/instant.ts'
import { accept, type Result, refuse } from '#values/result.ts'
import { QuietStretches } from './quiet-stretches.ts'
import { type BacktestReport, Recorder } from './recorder.ts'
import { Stage } from './stage.ts'

/** Raised whenever the same request over the same bars would give another result than before. */
export const BACKTEST_REVISION = 5

const ONLY_STRATEGY = strategyId(1)

export interface BacktestOptions {
  /** What is traded, with the fees that count in this run. */
  readonly instruments: Instruments
  /** One per instrument, all of one interval. */
  readonly bars: readonly BarColumns[]
  readonly strategy: { readonly type: string; readonly config: Readonly<Record<string, unknown>> }
  readonly capital: number
  readonly limits: LimitsGiven
  /** How far the quotes are from each price, which is what a market order pays. */
  readonly slippageBps: number
  readonly latencyMs: number
  readonly seed: number
  /** Kinds of strategy beside the built-in ones. */
  readonly kinds?: readonly StrategyKind[]
  /** Plays every bar, quiet or not: what the fast way is held against. */
  readonly isStepByStep?: boolean
  readonly onEntry?: (entry: JournalEntry) => void
}

/** A strategy that thinks elsewhere and is waited for after each bar. */
export interface LockStep {
  readonly isWaiting: boolean
  answers(): Promise<readonly Command[]>
}

interface BacktestFailure {
  readonly reason: string
  /** In the market's time. */
  readonly at: Instant
}

/** A run that is under way; the same options always give the same report. */
export interface Backtest {
  /** How many ends of bars there are, and how many are behind. */
  readonly rows: number
  readonly done: number
  /** Why the strategy was ended, and when: what comes after that is worth nothing. */
  readonly failure: BacktestFailure | null
  /** Goes on for about so many bars. */
  advance(rows: number): void
  /** The same for a strategy that is waited for. */
  advanceInStep(rows: number, port: LockStep): Promise<void>
  /** Returns what came of it, once all bars are behind. */
  report(): BacktestReport
}

/** Makes a run over recorded bars through the engine that trades live; refuses a strategy that makes no sense. */
export function createBacktest(options: BacktestOptions): Result<Backtest, Refusal> {
  const run = new BarByBar(options)
  const refusal = run.open()
  return refusal === null ? accept(run) : refuse(refusal)
}

class BarByBar implements Backtest {
  readonly rows: number
  readonly #options: BacktestOptions
  readonly #path: BarReplayOptions
  readonly #cursors: readonly BarCursor[]
  readonly #recorder: Recorder
  readonly #stage: Stage
  #quiet: QuietStretches | null = null
  done = 0

  constructor(options: BacktestOptions) {
    const { instruments, bars, capital, onEntry } = options
    this.#options = options
    this.#path = { halfSpreadTicks: 1, halfSpreadBps: options.slippageBps }
    this.#cursors = bars.map((columns) => ({ columns, row: 0 }))
    this.rows = countStarts(bars)
    const startAt = startOf(bars)
    this.#recorder = new Recorder({ instruments, capital, rows: this.rows, startAt, onEntry })
    this.#stage = new Stage(options, this.#recorder)
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
      const refusal = this.#stage.obey(command, at)
      if (refusal !== null) return refusal
    }
    const [only] = bars
    if (!isStepByStep && bars.length === 1 && only !== undefined) {
      const played = { columns: only, path: this.#path, instruments }
      this.#quiet = new QuietStretches(played, this.#stage, this.#recorder)
    }
    return null
  }

  get failure(): BacktestFailure | null {
    const record = this.#stage.engine.state.strategies.all.get(ONLY_STRATEGY)
    if (record?.status !== 'error') return null
    return { reason: record.reason ?? '', at: record.changedAt }
  }

  advance(rows: number): void {
    const to = Math.min(this.rows, this.done + rows)
    const quiet = this.#quiet
    const cursor = this.#cursors[0]
    while (this.done < to) {
      if (quiet?.canBegin() && cursor !== undefined) {
        this.done = quiet.pass(this.done, to)
        cursor.row = this.done
      } else this.#endBar(this.#playBar())
    }
  }

  async advanceInStep(rows: number, port: LockStep): Promise<void> {
    const to = Math.min(this.rows, this.done + rows)
    while (this.done < to) {
      const at = this.#playBar()
      while (port.isWaiting) for (const command of await port.answers()) this.#stage.obey(command, at)
      this.#endBar(at)
    }
  }

  report(): BacktestReport {
    assert(this.done === this.rows, 'a report before the end')
    return this.#recorder.report(this.#stage.engine.state)
  }

  /** Plays the next bar of every instrument that has one; returns when they end. */
  #playBar(): Instant {
    const stage = this.#stage
    this.#quiet?.catchUp(this.done)
    const current = earliestOf(this.#cursors)
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      for (const { columns, row } of current) {
        stage.accept(quoteOfBar(columns, row, quarter, this.#path))
        stage.accept(tradeOfBar(columns, row, quarter))
      }
    }
    let at = instant(0)
    for (const cursor of current) {
      at = barEndAt(cursor.columns, cursor.row)
      stage.accept(barTickOf(cursor.columns, cursor.row))
      cursor.row += 1
    }
    this.#quiet?.notePlayed(this.done)
    return at
  }

  #endBar(at: Instant): void {
    const { engine } = this.#stage
    this.#stage.accept({ kind: 'timer', at })
    this.#recorder.row(at, engine.valuation.equity(), engine.state.positions.open.size > 0)
    this.done += 1
  }
}

function startOf(bars: readonly BarColumns[]): Instant {
  return instant(Math.min(...bars.map(({ start }) => start[0] ?? Number.POSITIVE_INFINITY)))
}

/** How many different starts the bars have together. */
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
