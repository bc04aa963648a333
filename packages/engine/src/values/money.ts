import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import { type DecimalFault, type DecimalText, parseDecimal, printUnits } from './decimal.ts'
import { accept, type Result, refuse } from './result.ts'

/** An exact amount of the quote currency, in units of 10⁻⁸ (decision 0004). */
export type Money = Brand<bigint, 'Money'>

export const NO_MONEY = money(0n)

export type MoneyFault = DecimalFault | 'too-fine'

/** Makes money of units of 10⁻⁸. */
export function money(units: bigint): Money {
  // Every bigint is an exact amount; the brand only keeps other bigints out.
  return units as Money
}

/** Reads an amount without rounding; more than eight decimals are refused. */
export function parseMoney(value: DecimalText): Result<Money, MoneyFault> {
  const decimal = parseDecimal(value)
  if (!decimal.ok) return decimal
  return decimal.value.isExact ? accept(money(decimal.value.units)) : refuse('too-fine')
}

/** Returns the amount nearest to a modelled double, such as an equity at today's marks. */
export function nearestMoney(value: number): Money {
  assert(Number.isFinite(value), 'not an amount', value)
  return money(BigInt(Math.round(value * 1e8)))
}

/** Returns the amount as a double, for screens and indicators. */
export function moneyToNumber(amount: Money): number {
  return unitsToNumber(amount) / 1e8
}

/** Returns the nearest double of a number of units. */
export function unitsToNumber(units: bigint): number {
  if (units > EXACT || units < -EXACT) return Number(units)
  // The same number five times as fast as by Number(), which marks and records ask for at every fill.
  whole[0] = units
  return (high[0] ?? 0) * 0x1_0000_0000 + (low[0] ?? 0)
}

/** Up to here both halves add up to a double without rounding. */
const EXACT = 2n ** 53n
const whole = new BigInt64Array(1)
const [low, high] = [new Uint32Array(whole.buffer, 0, 1), new Int32Array(whole.buffer, 4, 1)]

/** Prints the amount exactly. */
export function printMoney(amount: Money): string {
  return printUnits(amount)
}

/** Returns `amount × parts / of`, rounded up, so that a fee is never too small nor a rebate too large. */
export function portionUp(amount: Money, parts: bigint, of: bigint): Money {
  const product = amount * parts
  const cut = product / of
  return money(product > 0n && cut * of !== product ? cut + 1n : cut)
}

/** Returns `amount × parts / of`, cut towards zero; the remainder stays where the amount was. */
export function portion(amount: Money, parts: bigint, of: bigint): Money {
  return money((amount * parts) / of)
}

export function sizeOf(amount: Money): Money {
  return amount < 0n ? money(-amount) : amount
}
