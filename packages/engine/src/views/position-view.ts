import { quoteAt } from '#market/marks.ts'
import type { Position } from '#model/position.ts'
import { markedValue, type RiskContext } from '#risk/exposure.ts'
import type { InstrumentId, PositionId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { netQuantity, quantityToNumber } from '#values/quantity.ts'
import { stepsToNumber } from '#values/step.ts'

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
  readonly openedAt: Instant
}

/** Returns the open positions, oldest first. */
export function viewPositions(context: RiskContext): PositionView[] {
  return [...context.state.positions.open.values()].map((position) => viewPosition(context, position))
}

function viewPosition(context: RiskContext, position: Position): PositionView {
  const instrument = context.instruments.get(position.instrument)
  const quote = quoteAt(context.marks, context.instruments.indexOf(position.instrument))
  const held = quantityToNumber(netQuantity(Math.abs(position.quantity)), instrument.lot)
  const cost = moneyToNumber(position.cost)
  const entryPrice = Math.abs(cost) / held
  return {
    id: position.id,
    strategy: position.strategy,
    instrument: position.instrument,
    side: position.quantity > 0 ? 'LONG' : 'SHORT',
    quantity: held,
    entryPrice,
    currentPrice: quote ? stepsToNumber((quote.bid + quote.ask) / 2, instrument.tick) : entryPrice,
    markedAt: quote?.at ?? null,
    unrealised: moneyToNumber(markedValue(context, position, instrument)) - cost,
    realised: moneyToNumber(position.realised),
    fees: moneyToNumber(position.fees),
    funding: moneyToNumber(position.funding),
    openedAt: position.openedAt,
  }
}
