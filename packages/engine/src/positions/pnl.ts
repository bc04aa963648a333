import type { Side } from '#market/tick.ts'
import { type Money, minus, NO_MONEY, negative, portion } from '#values/money.ts'
import type { NetQuantity, Quantity } from '#values/quantity.ts'

/** What a fill does to a position, whichever side it is on. */
export interface Holding {
  readonly quantity: NetQuantity
  readonly cost: Money
}

export interface Traded {
  readonly side: Side
  readonly quantity: Quantity
  readonly notional: Money
}

/**
 * Returns what the closing part of a trade earns or loses, before fees. The cost that leaves with a partial close is
 * cut towards zero; the remainder stays in the position and leaves with its last lot, so nothing is ever lost.
 */
export function realisedBy(holding: Holding | undefined, traded: Traded): Money {
  if (holding === undefined || !isClosing(holding, traded.side)) return NO_MONEY
  const held = Math.abs(holding.quantity)
  const closing = Math.min(held, traded.quantity)
  const costOut = portion(holding.cost, closing, held)
  const paid = portion(signedNotional(traded), closing, traded.quantity)
  return minus(negative(paid), costOut)
}

/** Returns the notional as it changes cost: paid for a buy, received for a sell. */
export function signedNotional(traded: Pick<Traded, 'side' | 'notional'>): Money {
  return traded.side === 'BUY' ? traded.notional : negative(traded.notional)
}

/** Returns the quantity as it changes a position. */
export function signedLots(traded: Pick<Traded, 'side' | 'quantity'>): number {
  return traded.side === 'BUY' ? traded.quantity : -traded.quantity
}

function isClosing(holding: Holding, side: Side): boolean {
  return side === 'BUY' ? holding.quantity < 0 : holding.quantity > 0
}
