import type { Instruments } from '#market/instruments.ts'
import type { OrderFilled } from '#model/event.ts'
import type { OrderTerms } from '#model/order.ts'
import type { Side } from '#model/tick.ts'
import { assert } from '#values/bug.ts'
import type { InstrumentId, PositionId } from '#values/ids.ts'
import { type Money, moneyToNumber } from '#values/money.ts'

/** The maximum number of trades in a report: the latest. */
export const MAX_TRADES = 1_000
/** The numbers stored per trade. */
const FIELDS = 10

/** A position from its first fill to the one that closed it. */
export interface BacktestTrade {
  readonly instrument: InstrumentId
  readonly side: 'LONG' | 'SHORT'
  readonly openedAt: number
  readonly closedAt: number
  /** All lots opened in it. */
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
  /** Total gain of winning trades and total loss of losing trades, both positive. */
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

/** Follows fills and funding and records closed positions. */
export class TradeLog {
  readonly totals: TradeTotals = { count: 0, won: 0, gained: 0, lost: 0 }
  traded = 0
  readonly #instruments: Instruments
  readonly #open: readonly OpenTrade[]
  /** A ring buffer of numbers: the latest trades overwrite the oldest without allocating. */
  readonly #stored = new Float64Array(MAX_TRADES * FIELDS)

  constructor(instruments: Instruments) {
    this.#instruments = instruments
    this.#open = instruments.all.map(nothing)
  }

  /** Adds a fill; a flip through zero closes one trade and opens the next. */
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
  latest(): BacktestTrade[] {
    const { count } = this.totals
    const stored = Math.min(count, MAX_TRADES)
    return Array.from({ length: stored }, (_, nth) =>
      this.#read(((count - stored + nth) % MAX_TRADES) * FIELDS),
    )
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
    this.#write((totals.count % MAX_TRADES) * FIELDS, { open, index, at, pnl })
    totals.count += 1
    open.id = null
  }

  #write(place: number, { open, index, at, pnl }: Closed): void {
    const stored = this.#stored
    stored[place] = index
    stored[place + 1] = open.side === 'BUY' ? 1 : -1
    stored[place + 2] = open.openedAt
    stored[place + 3] = at
    stored[place + 4] = open.lots
    stored[place + 5] = open.entryValue
    stored[place + 6] = open.exitValue
    stored[place + 7] = open.fees
    stored[place + 8] = open.funding
    stored[place + 9] = pnl
  }

  #read(place: number): BacktestTrade {
    const field = (number: number) => this.#stored[place + number] ?? 0
    const instrument = this.#instruments.all[field(0)]
    assert(instrument !== undefined, 'a trade in no instrument')
    const lots = field(4)
    const quantity = (lots * instrument.lot.unitCount) / 1e8
    return {
      instrument: instrument.id,
      side: field(1) > 0 ? 'LONG' : 'SHORT',
      openedAt: field(2),
      closedAt: field(3),
      lots,
      entryPrice: field(5) / quantity,
      exitPrice: field(6) / quantity,
      fees: field(7),
      funding: field(8),
      pnl: field(9),
    }
  }
}

interface Closed {
  readonly open: OpenTrade
  readonly index: number
  readonly at: number
  readonly pnl: number
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
