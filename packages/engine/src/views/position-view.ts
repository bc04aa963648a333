import { quoteAt } from '#market/marks.ts'
import { describeReason } from '#model/describe.ts'
import type { Instrument } from '#model/instrument.ts'
import type { ClosedPosition, Position } from '#model/position.ts'
import { findExitDenial } from '#orders/exits.ts'
import { markedValue, type RiskContext } from '#risk/exposure.ts'
import type { PositionRegister } from '#state/position-register.ts'
import type { InstrumentId, PositionId, Seq, StrategyId } from '#values/ids.ts'
import { incrementsToNumber } from '#values/increment.ts'
import type { Instant } from '#values/instant.ts'
import { minus, moneyToNumber, plus } from '#values/money.ts'
import { type Price, priceToNumber } from '#values/price.ts'
import { netQuantityFromLots, quantityToNumber } from '#values/quantity.ts'

/** An open position as screens show it, in decimals. */
export interface PositionView {
  readonly id: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly side: 'LONG' | 'SHORT'
  readonly quantity: number
  readonly entryPrice: number
  /** The mid price of the last quote; the entry price before the first. */
  readonly currentPrice: number
  /** The time of that quote; null before the first. */
  readonly markedAt: Instant | null
  readonly unrealised: number
  readonly realised: number
  readonly fees: number
  readonly funding: number
  /** Prices at which the engine closes it; null for none. */
  readonly stopLoss: number | null
  readonly takeProfit: number | null
  /** Why it is still open although one of them is reached. */
  readonly exitObstacle: string | null
  readonly openedAt: Instant
}

/** A closed position with its result, in decimals. */
export interface ClosedPositionView {
  readonly id: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly side: 'LONG' | 'SHORT'
  /** Before fees and funding. */
  readonly realised: number
  readonly fees: number
  readonly funding: number
  /** Realised P&L less fees, and funding. */
  readonly result: number
  readonly openedAt: Instant
  readonly closedAt: Instant
  /** The journal entry that closed it. */
  readonly seq: Seq
}

/** Returns the positions that an entry closed, as far as hard state still has them. */
export function viewClosedBy({ closed }: PositionRegister, seq: Seq): readonly ClosedPositionView[] {
  // They are in the order of their entries, and the entry is one of the latest.
  let first = closed.length
  while ((closed[first - 1]?.seq ?? 0) > seq) first -= 1
  const end = first
  while (closed[first - 1]?.seq === seq) first -= 1
  return first === end ? NONE_CLOSED : closed.slice(first, end).map(viewClosed)
}

const NONE_CLOSED: readonly ClosedPositionView[] = []

function viewClosed(position: ClosedPosition): ClosedPositionView {
  const { realised, fees, funding } = position
  return {
    id: position.id,
    strategy: position.strategy,
    instrument: position.instrument,
    openedAt: position.openedAt,
    closedAt: position.closedAt,
    seq: position.seq,
    side: position.isLong ? 'LONG' : 'SHORT',
    realised: moneyToNumber(realised),
    fees: moneyToNumber(fees),
    funding: moneyToNumber(funding),
    result: moneyToNumber(plus(minus(realised, fees), funding)),
  }
}

/** Returns the open positions, oldest first. */
export function viewPositions(context: RiskContext): PositionView[] {
  return [...context.state.positions.open.values()].map((position) => viewPosition(context, position))
}

function viewPosition(context: RiskContext, position: Position): PositionView {
  const instrument = context.instruments.get(position.instrument)
  const quote = quoteAt(context.marks, context.instruments.indexOf(position.instrument))
  const held = quantityToNumber(netQuantityFromLots(Math.abs(position.quantity)), instrument.lot)
  const cost = moneyToNumber(position.cost)
  const entryPrice = Math.abs(cost) / held
  return {
    id: position.id,
    strategy: position.strategy,
    instrument: position.instrument,
    side: position.quantity > 0 ? 'LONG' : 'SHORT',
    quantity: held,
    entryPrice,
    currentPrice: quote ? incrementsToNumber((quote.bid + quote.ask) / 2, instrument.tick) : entryPrice,
    markedAt: quote?.at ?? null,
    unrealised: moneyToNumber(markedValue(context, position, instrument)) - cost,
    realised: moneyToNumber(position.realised),
    fees: moneyToNumber(position.fees),
    funding: moneyToNumber(position.funding),
    ...viewExits(context, position, instrument),
    openedAt: position.openedAt,
  }
}

function viewExits(
  context: RiskContext,
  position: Position,
  { tick }: Instrument,
): Pick<PositionView, 'stopLoss' | 'takeProfit' | 'exitObstacle'> {
  const { exits } = position
  if (exits === null) return NO_EXITS
  const inUnits = (at: Price | null) => at && priceToNumber(at, tick)
  const denial = findExitDenial(context, position)
  return {
    stopLoss: inUnits(exits.stopLoss),
    takeProfit: inUnits(exits.takeProfit),
    exitObstacle: denial && describeReason(denial),
  }
}

const NO_EXITS = { stopLoss: null, takeProfit: null, exitObstacle: null }
