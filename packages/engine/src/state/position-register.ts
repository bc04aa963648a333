import type { Event, OrderFilled } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type { Order } from '#model/order.ts'
import { type ClosedPosition, type Position, type PositionKey, positionKey } from '#model/position.ts'
import { assert } from '#values/bug.ts'
import type { InstrumentId, PositionId, StrategyId } from '#values/ids.ts'
import { type Money, minus, NO_MONEY, plus } from '#values/money.ts'
import { netQuantityFromLots } from '#values/quantity.ts'
import { ShortMap } from '#values/short-map.ts'
import { signedLots, signedNotional } from './pnl.ts'

/** The result of a strategy over all its positions, closed ones included. */
export interface StrategyResult {
  realised: Money
  fees: Money
  funding: Money
  fills: number
  /** Closed positions, and those that earned more than their fees. */
  closed: number
  won: number
}

export interface PositionRegister {
  nextNumber: number
  readonly open: ShortMap<PositionKey, Position>
  readonly results: Map<StrategyId, StrategyResult>
  /** The latest closed positions, oldest first; older ones are in the store. */
  readonly closed: ClosedPosition[]
  /** The number of closed positions to keep. */
  readonly maxClosed: number
}

/** More than one entry can close, so that the store misses none. */
const MAX_CLOSED_POSITIONS = 200

/** Returns a register without positions. */
export function createPositionRegister(maxClosed = MAX_CLOSED_POSITIONS): PositionRegister {
  return { nextNumber: 1, open: new ShortMap(), results: new Map(), closed: [], maxClosed }
}

/** Folds a fill: additions only, since the event carries what was realised. */
export function applyFill(
  register: PositionRegister,
  { terms }: Order,
  event: OrderFilled,
  moment: Moment,
): void {
  const key = positionKey(terms.strategy, terms.instrument)
  const before = register.open.get(key)
  const traded = { side: terms.side, quantity: event.quantity, notional: event.notional }
  const lots = netQuantityFromLots((before?.quantity ?? 0) + signedLots(traded))
  const cost = plus(plus(before?.cost ?? NO_MONEY, signedNotional(traded)), event.realised)
  const result = resultOf(register, terms.strategy)
  result.realised = plus(result.realised, event.realised)
  result.fees = plus(result.fees, event.fee)
  result.fills += 1
  if (before?.id === event.positionId) {
    const isLong = before.quantity > 0
    before.realised = plus(before.realised, event.realised)
    before.fees = plus(before.fees, event.fee)
    before.quantity = lots
    before.cost = cost
    if (lots === 0) close(register, key, before, isLong, moment)
    return
  }
  if (before) {
    before.realised = plus(before.realised, event.realised)
    close(register, key, before, before.quantity > 0, moment)
  }
  register.nextNumber += 1
  register.open.set(key, {
    id: event.positionId,
    strategy: terms.strategy,
    instrument: terms.instrument,
    quantity: lots,
    cost,
    realised: NO_MONEY,
    fees: event.fee,
    funding: NO_MONEY,
    exits: null,
    openedAt: moment.at,
  })
}

/** Folds a funding payment. */
export function applyFunding(
  register: PositionRegister,
  paid: { strategy: StrategyId; instrument: InstrumentId; amount: Money },
): void {
  const position = register.open.get(positionKey(paid.strategy, paid.instrument))
  assert(position !== undefined, 'funding where nothing is held', paid.instrument)
  position.funding = plus(position.funding, paid.amount)
  const result = resultOf(register, paid.strategy)
  result.funding = plus(result.funding, paid.amount)
}

/** Folds a change of exit prices. */
export function applyExits(
  register: PositionRegister,
  { strategy, instrument, positionId, exits }: Extract<Event, { type: 'PositionExitsChanged' }>,
): void {
  const position = register.open.get(positionKey(strategy, instrument))
  assert(position?.id === positionId, 'exit prices of a position that is not open', positionId)
  position.exits = exits
}

/** Returns the open position of an id. */
export function findPosition(register: PositionRegister, id: PositionId): Position | undefined {
  for (const position of register.open.values()) if (position.id === id) return position
  return undefined
}

function resultOf(register: PositionRegister, strategy: StrategyId): StrategyResult {
  const known = register.results.get(strategy)
  if (known) return known
  const fresh = { realised: NO_MONEY, fees: NO_MONEY, funding: NO_MONEY, fills: 0, closed: 0, won: 0 }
  register.results.set(strategy, fresh)
  return fresh
}

function close(
  register: PositionRegister,
  key: PositionKey,
  position: Position,
  isLong: boolean,
  { at, seq }: Moment,
): void {
  const { id, strategy, instrument, realised, fees, funding, openedAt } = position
  register.open.delete(key)
  const result = resultOf(register, strategy)
  result.closed += 1
  if (plus(minus(realised, fees), funding) > 0) result.won += 1
  if (register.maxClosed === 0) return
  const closedAt = at
  register.closed.push({
    id,
    strategy,
    instrument,
    isLong,
    realised,
    fees,
    funding,
    openedAt,
    closedAt,
    seq,
  })
  if (register.closed.length > register.maxClosed) register.closed.shift()
}
