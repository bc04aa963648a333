import { largestRemainingOf, type Order, remainingOf } from '#model/order.ts'
import { type PositionKey, positionKey } from '#model/position.ts'
import type { InstrumentId } from '#values/ids.ts'
import { type Money, NO_MONEY, negative, plus, times } from '#values/money.ts'
import { ShortMap } from '#values/short-map.ts'

/** The worst case of one strategy's working orders in one instrument. */
export interface WorkingTotal {
  readonly instrument: InstrumentId
  orders: number
  reduceOnlyOrders: number
  buyLots: number
  sellLots: number
  buyValue: Money
  sellValue: Money
}

export type WorkingTotals = ShortMap<PositionKey, WorkingTotal>

export function createWorkingTotals(): WorkingTotals {
  return new ShortMap()
}

/** Adds an order's worst case. */
export function addToTotals(totals: WorkingTotals, order: Order): void {
  const key = positionKey(order.terms.strategy, order.terms.instrument)
  let total = totals.get(key)
  if (total === undefined) {
    total = createWorkingTotal(order.terms.instrument)
    totals.set(key, total)
  }
  add(total, order, 1)
}

/** Removes an order's worst case; the order must not have changed since it was added. */
export function removeFromTotals(totals: WorkingTotals, order: Order): void {
  const key = positionKey(order.terms.strategy, order.terms.instrument)
  const total = totals.get(key)
  if (total === undefined) return
  add(total, order, -1)
  if (total.orders === 0) totals.delete(key)
}

/** Returns the value of what an order could still fill, at the higher-valued of its present and requested terms. */
export function worstValueOf(order: Order): Money {
  if (order.change === null) return times(order.valuePerLot, remainingOf(order))
  const requested = order.change.valuePerLot
  const perLot = requested > order.valuePerLot ? requested : order.valuePerLot
  return times(perLot, largestRemainingOf(order))
}

export function createWorkingTotal(instrument: InstrumentId): WorkingTotal {
  return {
    instrument,
    orders: 0,
    reduceOnlyOrders: 0,
    buyLots: 0,
    sellLots: 0,
    buyValue: NO_MONEY,
    sellValue: NO_MONEY,
  }
}

function add(total: WorkingTotal, order: Order, sign: 1 | -1): void {
  const { side, reduceOnly } = order.terms
  total.orders += sign
  if (reduceOnly) total.reduceOnlyOrders += sign
  const lots = sign * largestRemainingOf(order)
  const worst = worstValueOf(order)
  const value = sign > 0 ? worst : negative(worst)
  if (side === 'BUY') {
    total.buyLots += lots
    total.buyValue = plus(total.buyValue, value)
  } else {
    total.sellLots += lots
    total.sellValue = plus(total.sellValue, value)
  }
}
