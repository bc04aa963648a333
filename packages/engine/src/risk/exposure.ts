import type { HardState } from '#hard-state.ts'
import { type Instrument, marginOn } from '#market/instrument.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import type { Side } from '#market/tick.ts'
import type { WorkingTotal } from '#orders/working-totals.ts'
import { type BookKey, bookKey, type Position } from '#positions/position.ts'
import { type Money, minus, NO_MONEY, plus, portion, sizeOf, times } from '#values/money.ts'

/** What risk looks at: what is true, what the market says, and how old a quote may be. */
export interface RiskContext {
  readonly state: HardState
  readonly instruments: Instruments
  readonly marks: Marks
  readonly staleAfterMs: number
}

/** An order that may be added to the picture, and how much of a book's working totals it replaces. */
export interface Addition {
  readonly key: BookKey
  readonly instrument: Instrument
  readonly side: Side
  readonly value: Money
  readonly replacedValue: Money
}

/** The desk's exposure, exact at the present marks. */
export interface RiskPicture {
  /** Gross value of all positions. */
  exposure: Money
  /** Gross value if, in each book, the worse side's working orders fill. */
  worstExposure: Money
  /** Margin that the worst exposure ties up. */
  margin: Money
  /** Books that hold a position or could open one. */
  books: number
  equity: Money
}

/** Adds up all books, with one more order counted in when there is one. */
export function pictureOf(context: RiskContext, addition: Addition | null = null): RiskPicture {
  const { positions, orders, account } = context.state
  const picture = {
    exposure: NO_MONEY,
    worstExposure: NO_MONEY,
    margin: NO_MONEY,
    books: 0,
    equity: account.cash,
  }
  for (const position of positions.open.values()) {
    const key = bookKey(position.strategy, position.instrument)
    const instrument = context.instruments.get(position.instrument)
    const value = markedValue(context, position, instrument)
    picture.equity = plus(picture.equity, value)
    picture.exposure = plus(picture.exposure, sizeOf(value))
    addBook(picture, instrument, value, workingIn(key, orders.totals.get(key), addition))
  }
  if (orders.totals.size > 0) addUnheld(picture, context, addition)
  if (addition && !positions.open.has(addition.key) && !orders.totals.has(addition.key)) {
    addBook(picture, addition.instrument, NO_MONEY, workingIn(addition.key, undefined, addition))
  }
  return picture
}

/** Adds the books that hold nothing yet and have orders working. */
function addUnheld(picture: RiskPicture, context: RiskContext, addition: Addition | null): void {
  const { positions, orders } = context.state
  for (const key of orders.totals.keys()) {
    const total = orders.totals.get(key)
    if (total === undefined || positions.open.has(key)) continue
    const instrument = context.instruments.get(total.instrument)
    addBook(picture, instrument, NO_MONEY, workingIn(key, total, addition))
  }
}

/** Returns a position's value at the middle of the quote; without a quote, what it cost. */
export function markedValue(context: RiskContext, position: Position, instrument: Instrument): Money {
  const index = context.instruments.indexOf(position.instrument)
  const bothSides = (context.marks.bid[index] ?? 0) + (context.marks.ask[index] ?? 0)
  if (bothSides === 0) return position.cost
  return portion(times(times(instrument.tickLotValue, bothSides), position.quantity), 1, 2)
}

type Working = Readonly<Record<Side, Money>>

function workingIn(key: BookKey, total: WorkingTotal | undefined, addition: Addition | null): Working {
  const working = { BUY: total?.value.BUY ?? NO_MONEY, SELL: total?.value.SELL ?? NO_MONEY }
  if (addition?.key !== key) return working
  const added = minus(addition.value, addition.replacedValue)
  if (addition.side === 'BUY') working.BUY = plus(working.BUY, added)
  else working.SELL = plus(working.SELL, added)
  return working
}

function addBook(picture: RiskPicture, instrument: Instrument, value: Money, working: Working): void {
  const ifBought = sizeOf(plus(value, working.BUY))
  const ifSold = sizeOf(minus(value, working.SELL))
  const worst = ifBought > ifSold ? ifBought : ifSold
  picture.worstExposure = plus(picture.worstExposure, worst)
  picture.margin = plus(picture.margin, marginOn(instrument, worst))
  picture.books += 1
}
