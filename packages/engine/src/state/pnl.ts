import type { Side } from '#model/tick.ts'
import { type Money, minus, NO_MONEY, negative, portion } from '#values/money.ts'
import type { NetQuantity, Quantity } from '#values/quantity.ts'

/** The part of a position that P&L needs. */
export interface Holding {
  readonly quantity: NetQuantity
  readonly cost: Money
}

export interface Trade {
  readonly side: Side
  readonly quantity: Quantity
  readonly notional: Money
}

/**
 * Returns the realised P&L of the closing part of a trade, before fees. The cost of a partial close is cut towards
 * zero; the remainder stays in the position and leaves with its last lot.
 */
export function realisedBy(holding: Holding | undefined, traded: Trade): Money {
  if (holding === undefined || !isClosing(holding, traded.side)) return NO_MONEY
  const held = Math.abs(holding.quantity)
  const closing = Math.min(held, traded.quantity)
  const costOut = portion(holding.cost, closing, held)
  const paid = portion(signedNotional(traded), closing, traded.quantity)
  return minus(negative(paid), costOut)
}

/** Returns the notional as it changes cost: paid for a buy, received for a sell. */
export function signedNotional(traded: Pick<Trade, 'side' | 'notional'>): Money {
  return traded.side === 'BUY' ? traded.notional : negative(traded.notional)
}

/** Returns the quantity as it changes a position. */
export function signedLots(traded: Pick<Trade, 'side' | 'quantity'>): number {
  return traded.side === 'BUY' ? traded.quantity : -traded.quantity
}

function isClosing(holding: Holding, side: Side): boolean {
  return side === 'BUY' ? holding.quantity < 0 : holding.quantity > 0
}
