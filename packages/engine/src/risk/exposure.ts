import type { Instruments } from '#market/instruments.ts'
import { bidPlusAsk, type Marks } from '#market/marks.ts'
import { type Instrument, marginOn } from '#model/instrument.ts'
import { type Position, type PositionKey, positionKey } from '#model/position.ts'
import type { Side } from '#model/tick.ts'
import type { HardState } from '#state/hard-state.ts'
import type { WorkingTotal } from '#state/working-totals.ts'
import { type Money, minus, NO_MONEY, plus, portion, sizeOf, times } from '#values/money.ts'

/** What risk reads: hard state, marks and the maximum age of a quote. */
export interface RiskContext {
  readonly state: HardState
  readonly instruments: Instruments
  readonly marks: Marks
  readonly staleAfterMs: number
}

/** An order to add to the summary, and the value of the working order it replaces. */
export interface Addition {
  readonly key: PositionKey
  readonly instrument: Instrument
  readonly side: Side
  readonly value: Money
  readonly replacedValue: Money
}

/** The desk's exposure, exact at the current marks. */
export interface ExposureSummary {
  /** Gross value of all positions. */
  exposure: Money
  /** Gross value if, for each position, the working orders of the worse side fill. */
  worstExposure: Money
  /** Margin required by the worst exposure. */
  margin: Money
  /** Open positions and those that working orders could open. */
  positionCount: number
  equity: Money
}

/** Sums over all positions and working orders, with one more order if given. */
export function computeExposure(context: RiskContext, addition: Addition | null = null): ExposureSummary {
  const { positions, orders, account } = context.state
  const summary = {
    exposure: NO_MONEY,
    worstExposure: NO_MONEY,
    margin: NO_MONEY,
    positionCount: 0,
    equity: account.cash,
  }
  for (const position of positions.open.values()) {
    const key = positionKey(position.strategy, position.instrument)
    const instrument = context.instruments.get(position.instrument)
    const value = markedValue(context, position, instrument)
    summary.equity = plus(summary.equity, value)
    summary.exposure = plus(summary.exposure, sizeOf(value))
    addPositionExposure(summary, instrument, value, workingIn(key, orders.totals.get(key), addition))
  }
  if (orders.totals.size > 0) addUnopenedPositions(summary, context, addition)
  if (addition && !positions.open.has(addition.key) && !orders.totals.has(addition.key)) {
    addPositionExposure(summary, addition.instrument, NO_MONEY, workingIn(addition.key, undefined, addition))
  }
  return summary
}

/** Adds the positions that only have working orders. */
function addUnopenedPositions(
  summary: ExposureSummary,
  context: RiskContext,
  addition: Addition | null,
): void {
  const { positions, orders } = context.state
  for (const key of orders.totals.keys()) {
    const total = orders.totals.get(key)
    if (total === undefined || positions.open.has(key)) continue
    const instrument = context.instruments.get(total.instrument)
    addPositionExposure(summary, instrument, NO_MONEY, workingIn(key, total, addition))
  }
}

/** Returns a position's value at the mid price, or its cost without a quote. */
export function markedValue(context: RiskContext, position: Position, instrument: Instrument): Money {
  const doubleMid = bidPlusAsk(context.marks, context.instruments.indexOf(position.instrument))
  if (doubleMid === 0) return position.cost
  return portion(times(times(instrument.tickLotValue, doubleMid), position.quantity), 1, 2)
}

/** Returns whether every position has a quote; after a start the equity of those without one is not known. */
export function hasMarks({ state, instruments, marks }: RiskContext): boolean {
  for (const { instrument } of state.positions.open.values()) {
    if (bidPlusAsk(marks, instruments.indexOf(instrument)) === 0) return false
  }
  return true
}

type Working = Readonly<Record<Side, Money>>

function workingIn(key: PositionKey, total: WorkingTotal | undefined, addition: Addition | null): Working {
  const working = { BUY: total?.buyValue ?? NO_MONEY, SELL: total?.sellValue ?? NO_MONEY }
  if (addition?.key !== key) return working
  const added = minus(addition.value, addition.replacedValue)
  if (addition.side === 'BUY') working.BUY = plus(working.BUY, added)
  else working.SELL = plus(working.SELL, added)
  return working
}

function addPositionExposure(
  summary: ExposureSummary,
  instrument: Instrument,
  value: Money,
  working: Working,
): void {
  const ifBought = sizeOf(plus(value, working.BUY))
  const ifSold = sizeOf(minus(value, working.SELL))
  const worst = ifBought > ifSold ? ifBought : ifSold
  summary.worstExposure = plus(summary.worstExposure, worst)
  summary.margin = plus(summary.margin, marginOn(instrument, worst))
  summary.positionCount += 1
}
