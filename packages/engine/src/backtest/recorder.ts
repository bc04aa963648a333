import type { Instruments } from '#market/instruments.ts'
import type { Event } from '#model/event.ts'
import type { JournalEntry } from '#model/journal-entry.ts'
import type { HardState } from '#state/hard-state.ts'
import { findOrder } from '#state/order-register.ts'
import { assert } from '#values/bug.ts'
import { moneyToNumber } from '#values/money.ts'
import { EventDigest } from './digest.ts'
import { CurveRecorder, type EquityCurve } from './equity-curve.ts'
import { EquityTally } from './equity-tally.ts'
import { type BacktestStatistics, statisticsOf } from './statistics.ts'
import { type BacktestTrade, TradeLog } from './trade-log.ts'

export interface RecorderOptions {
  readonly instruments: Instruments
  readonly capital: number
  /** The number of bar ends and the start of the first bar. */
  readonly rows: number
  readonly startAt: number
  readonly onEntry?: ((entry: JournalEntry) => void) | undefined
}

/** The result of a run. */
export interface BacktestReport {
  readonly statistics: BacktestStatistics
  readonly curve: EquityCurve
  /** The latest trades; `statistics.trades` counts all of them. */
  readonly trades: readonly BacktestTrade[]
  readonly finalEquity: number
  /** Returns of the days, oldest first. */
  readonly dailyReturns: readonly number[]
  readonly bars: number
  readonly orders: number
  readonly deniedOrders: number
  readonly openPositions: number
  readonly tradingState: string
  readonly events: number
  /** A digest of all events, to compare two runs. */
  readonly digest: string
}

/** Records a run: its entries, and equity at the end of each bar. */
export class Recorder {
  readonly equity: EquityTally
  readonly #options: RecorderOptions
  readonly #curve: CurveRecorder
  readonly #trades: TradeLog
  readonly #digest = new EventDigest()
  #held = 0
  #denied = 0
  #rows = 0
  #nextPoint: number

  constructor(options: RecorderOptions) {
    this.#options = options
    this.equity = new EquityTally(options.capital, options.startAt)
    this.#curve = new CurveRecorder(options.rows)
    this.#trades = new TradeLog(options.instruments)
    this.#nextPoint = this.#curve.nextRow(0)
  }

  entry(entry: JournalEntry, state: HardState): void {
    this.#digest.add(entry)
    // A copy, since the engine reuses its entry.
    this.#options.onEntry?.({ ...entry })
    for (const event of entry.events) this.#note(event, entry.at, state)
  }

  #note(event: Event, at: number, state: HardState): void {
    switch (event.type) {
      case 'OrderFilled': {
        const order = findOrder(state.orders, event.orderId)
        assert(order !== undefined, 'a fill of an unknown order', event.orderId)
        this.#trades.fill(order.terms, event, at)
        return
      }
      case 'FundingPaid':
        this.#trades.funding(event.instrument, event.amount)
        return
      case 'OrderDenied':
        this.#denied += 1
    }
  }

  /** Adds the end of the next bar. */
  row(at: number, equity: number, isHeld: boolean): void {
    this.equity.note(at, equity)
    if (isHeld) this.#held += 1
    if (this.#rows === this.#nextPoint) this.#point(at)
    this.#rows += 1
  }

  /** How many of the next bars may be skipped at once; the last of them has a point of the curve. */
  get rowsToPoint(): number {
    return this.#nextPoint - this.#rows + 1
  }

  /** Skips bars in which equity changed neither peak nor drawdown; the bar after them is added by `row`. */
  skipRows(rows: number, isHeld: boolean): void {
    if (isHeld) this.#held += rows
    this.#rows += rows
  }

  report(state: HardState): BacktestReport {
    const { equity } = this
    equity.finish()
    const account = {
      capital: this.#options.capital,
      fees: moneyToNumber(state.account.fees),
      funding: moneyToNumber(state.account.funding),
      traded: this.#trades.traded,
    }
    return {
      statistics: statisticsOf(equity, this.#trades.totals, account, { held: this.#held, all: this.#rows }),
      curve: this.#curve.curve(),
      trades: this.#trades.latest(),
      finalEquity: equity.last,
      dailyReturns: equity.daily,
      bars: this.#rows,
      orders: state.orders.nextNumber - 1,
      deniedOrders: this.#denied,
      openPositions: state.positions.open.size,
      tradingState: state.risk.tradingState,
      events: this.#digest.events,
      digest: this.#digest.text(),
    }
  }

  #point(at: number): void {
    this.#curve.add(at, this.equity.last, this.equity.drawdown)
    this.#nextPoint = this.#curve.nextRow(this.#rows + 1)
  }
}
