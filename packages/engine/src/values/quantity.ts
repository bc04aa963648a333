import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import type { DecimalText } from './decimal.ts'
import { countIncrements, type Increment, type IncrementFault, incrementsToNumber } from './increment.ts'
import { ok, type Result } from './result.ts'

/** A whole number of an instrument's lots, zero or more. */
export type Quantity = Brand<number, 'Quantity'>

/** A signed number of lots: long above zero, short below. */
export type NetQuantity = Brand<number, 'NetQuantity'>

/** Creates a quantity from lots known to be whole and not negative; anything else is a bug. */
export function quantityFromLots(lots: number): Quantity {
  assert(Number.isSafeInteger(lots) && lots >= 0, 'not a quantity in lots', lots)
  // Checked on the line above.
  return lots as Quantity
}

export function netQuantityFromLots(lots: number): NetQuantity {
  assert(Number.isSafeInteger(lots), 'not a net quantity in lots', lots)
  // Checked on the line above; adding zero turns -0 into 0.
  return (lots + 0) as NetQuantity
}

/** Parses a quantity; off-lot, zero, negative, huge and NaN are refused with their own reasons. */
export function parseQuantity(value: DecimalText, lot: Increment): Result<Quantity, IncrementFault> {
  const lots = countIncrements(value, lot)
  return lots.ok ? ok(quantityFromLots(lots.value)) : lots
}

/** Returns the quantity as a double, for screens and indicators. */
export function quantityToNumber(lots: Quantity | NetQuantity, lot: Increment): number {
  return incrementsToNumber(lots, lot)
}
