import {
  aggressorOf,
  type BarReplayOptions,
  barEndAt,
  pathPrice,
  QUARTERS,
  ReusedTicks,
  tradeOfBar,
} from '#market/bar-path.ts'
import type { Instruments } from '#market/instruments.ts'
import type { BarCursor } from '#market/replay-feed.ts'
import { assert } from '#values/bug.ts'
import { type Instant, instantFromMs, startOfDay } from '#values/instant.ts'
import type { BacktestLoop } from './backtest-loop.ts'
import { boundaryPeriodMs } from './boundary.ts'
import { RiskWatch } from './risk-watch.ts'

/** How far the bars of an instrument have been played, with its index. */
export interface InstrumentCursor extends BarCursor {
  readonly index: number
}

export interface BarPlayerOptions {
  readonly path: BarReplayOptions
  readonly instruments: Instruments
  /** Plays every tick, received or not. */
  readonly isComplete: boolean
}

/**
 * Plays bars through the engine and leaves out what nobody receives: a trade that reaches no working order, the bar itself
 * where no strategy takes bars, and a time at which risk emits nothing. The events equal those of playing every tick; a
 * property test compares both.
 */
export class BarPlayer {
  readonly #path: BarReplayOptions
  readonly #isComplete: boolean
  readonly #periodMs: number
  readonly #loop: BacktestLoop
  readonly #watch: RiskWatch
  /** By instrument. */
  readonly #ticks: readonly ReusedTicks[]

  constructor({ path, instruments, isComplete }: BarPlayerOptions, loop: BacktestLoop) {
    this.#path = path
    this.#isComplete = isComplete
    this.#periodMs = boundaryPeriodMs(instruments)
    this.#loop = loop
    this.#watch = new RiskWatch(loop.engine)
    this.#ticks = instruments.all.map(() => new ReusedTicks())
  }

  /** Plays the bar of each cursor up to its end; returns the end. */
  play(current: readonly InstrumentCursor[]): Instant {
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      for (const cursor of current) {
        const { columns, row, index } = cursor
        this.#loop.accept(this.#ticksOf(index).quote(columns, row, quarter, this.#path))
        this.playTrade(cursor, quarter)
      }
    }
    let at = instantFromMs(0)
    for (const cursor of current) {
      at = barEndAt(cursor.columns, cursor.row)
      this.playEnd(cursor, at)
    }
    return at
  }

  playTrade({ columns, row, index }: InstrumentCursor, quarter: number): void {
    const isRelevant =
      this.#isReceived(index) ||
      this.#loop.isTradeRelevant(index, pathPrice(columns, row, quarter), aggressorOf(quarter))
    if (isRelevant) this.#loop.accept(tradeOfBar(columns, row, quarter))
  }

  /** Plays the finished bar. */
  playEnd({ columns, row, index }: InstrumentCursor, at: Instant): void {
    const isRelevant = this.#isReceived(index) || columns.interval === '1d' || this.#isVenueBusy(at)
    if (isRelevant) this.#loop.accept(this.#ticksOf(index).bar(columns, row))
  }

  /** Plays the time at the end of bars. */
  playTime(at: Instant): void {
    if (this.isTimeFelt(at)) this.#loop.accept({ kind: 'timer', at })
  }

  isTimeFelt(at: Instant): boolean {
    const { state, valuation } = this.#loop.engine
    if (this.#isComplete || this.#isVenueBusy(at) || startOfDay(at) !== state.risk.day) return true
    const equity = valuation.equity()
    return this.#watch.isSampled(equity) || this.#watch.isLoss(equity)
  }

  #ticksOf(index: number): ReusedTicks {
    const ticks = this.#ticks[index]
    assert(ticks !== undefined, 'no instrument', index)
    return ticks
  }

  /** Returns whether strategies build bars from the ticks of an instrument. */
  #isReceived(index: number): boolean {
    return this.#isComplete || this.#loop.engine.live.feedsOf(index).length > 0
  }

  /** Returns whether messages may arrive or funding is due. */
  #isVenueBusy(at: Instant): boolean {
    return this.#loop.isInTransit || at % this.#periodMs === 0
  }
}
