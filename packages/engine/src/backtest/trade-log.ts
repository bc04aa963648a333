import type { OrderFilled } from '#event.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Side } from '#market/tick.ts'
import type { OrderTerms } from '#orders/order.ts'
import type { InstrumentId, PositionId } from '#values/ids.ts'
import { type Money, moneyToNumber } from '#values/money.ts'

/** The most trades that a report lists: the latest. */
export const TRADES_KEPT = 1_000

/** A position from its first fill to the one that closed it. */
export interface BacktestTrade {
  readonly instrument: InstrumentId
  readonly side: 'LONG' | 'SHORT'
  readonly openedAt: number
  readonly closedAt: number
  /** All lots that were ever opened in it. */
  readonly lots: number
  /** Average prices, in quote currency per unit. */
  readonly entryPrice: number
  readonly exitPrice: number
  readonly fees: number
  readonly funding: number
  /** After fees and funding. */
  readonly pnl: number
}

export interface TradeTotals {
  count: number
  won: number
  /** What winning trades earned and losing ones lost, both above zero. */
  gained: number
  lost: number
}

interface OpenTrade {
  id: PositionId | null
  side: Side
  openedAt: number
  lots: number
  net: number
  entryValue: number
  exitValue: number
  fees: number
  funding: number
  realised: number
}

/** Follows fills and funding, and keeps what the closed positions came to. */
export class TradeLog {
  readonly totals: TradeTotals = { count: 0, won: 0, gained: 0, lost: 0 }
  traded = 0
  readonly #instruments: Instruments
  readonly #open: readonly OpenTrade[]
  readonly #kept: BacktestTrade[] = []

  constructor(instruments: Instruments) {
    this.#instruments = instruments
    this.#open = instruments.all.map(nothing)
  }

  /** Takes a fill in; a flip through zero closes one trade and opens the next. */
  fill({ instrument, side }: OrderTerms, event: OrderFilled, at: number): void {
    const index = this.#instruments.indexOf(instrument)
    const open = this.#open[index]
    if (open === undefined) return
    const value = moneyToNumber(event.notional)
    this.traded += value
    open.realised += moneyToNumber(event.realised)
    const closing = open.id === null || side === open.side ? 0 : Math.min(event.quantity, Math.abs(open.net))
    const share = closing / event.quantity
    open.exitValue += value * share
    open.net += side === 'BUY' ? closing : -closing
    if (event.positionId === open.id) open.fees += moneyToNumber(event.fee)
    if (closing > 0 && open.net === 0) this.#close(index, open, at)
    if (closing === event.quantity) return
    this.#add(open, { side, event, at, lots: event.quantity - closing, value: value * (1 - share) })
  }

  funding(instrument: InstrumentId, amount: Money): void {
    const open = this.#open[this.#instruments.indexOf(instrument)]
    if (open !== undefined) open.funding += moneyToNumber(amount)
  }

  /** Returns the latest trades, oldest first. */
  latest(): readonly BacktestTrade[] {
    const { count } = this.totals
    const first = count % TRADES_KEPT
    return count <= TRADES_KEPT ? this.#kept : [...this.#kept.slice(first), ...this.#kept.slice(0, first)]
  }

  #add(
    open: OpenTrade,
    added: { side: Side; event: OrderFilled; at: number; lots: number; value: number },
  ): void {
    const { side, event, at, lots, value } = added
    if (open.id !== event.positionId) {
      reset(open)
      open.id = event.positionId
      open.side = side
      open.openedAt = at
      open.fees = moneyToNumber(event.fee)
    }
    open.lots += lots
    open.net += side === 'BUY' ? lots : -lots
    open.entryValue += value
  }

  #close(index: number, open: OpenTrade, at: number): void {
    const { totals } = this
    const pnl = open.realised - open.fees + open.funding
    if (pnl > 0) {
      totals.won += 1
      totals.gained += pnl
    } else totals.lost -= pnl
    const instrument = this.#instruments.all[index]
    if (instrument !== undefined) {
      const quantity = (open.lots * instrument.lot.unitCount) / 1e8
      this.#kept[totals.count % TRADES_KEPT] = {
        instrument: instrument.id,
        side: open.side === 'BUY' ? 'LONG' : 'SHORT',
        openedAt: open.openedAt,
        closedAt: at,
        lots: open.lots,
        entryPrice: open.entryValue / quantity,
        exitPrice: open.exitValue / quantity,
        fees: open.fees,
        funding: open.funding,
        pnl,
      }
    }
    totals.count += 1
    open.id = null
  }
}

function reset(open: OpenTrade): void {
  open.lots = open.net = open.entryValue = open.exitValue = open.funding = open.realised = 0
}

function nothing(): OpenTrade {
  return {
    id: null,
    side: 'BUY',
    openedAt: 0,
    lots: 0,
    net: 0,
    entryValue: 0,
    exitValue: 0,
    fees: 0,
    funding: 0,
    realised: 0,
  }
}
