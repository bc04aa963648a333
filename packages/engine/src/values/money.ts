import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import { type DecimalFault, type DecimalText, parseDecimal, printUnits } from './decimal.ts'
import { ok, type Result, refuse } from './result.ts'

/**
 * An exact amount of the quote currency in whole units of 10⁻⁸: a double where it holds every unit, which is up to 90
 * million, and a bigint beyond. An amount has one form only, so that `===` and `<` mean what they say (0004).
 */
export type Money = Brand<number | bigint, 'Money'>

export type MoneyFault = DecimalFault | 'too-fine'

/** Up to here a double holds every integer; a rounded value lies above it, since rounding starts above. */
const MAX_SAFE_UNITS = Number.MAX_SAFE_INTEGER
/** The truncated quotient of two integer doubles is exact up to this. */
const MAX_EXACT_QUOTIENT = 2 ** 52

/** Creates money from units of 10⁻⁸. */
export function moneyFromUnits(units: bigint): Money {
  // Chooses the form of an amount; the functions below preserve it.
  return (units <= MAX_SAFE_UNITS && units >= -MAX_SAFE_UNITS ? Number(units) : units) as Money
}

/** This many digits and a sign always fit a double exactly. */
const SHORT = 15

/** Creates money from a string of units of 10⁻⁸, as in a journal. */
export function moneyOfUnits(digits: string): Money {
  return digits.length <= SHORT ? whole(Number(digits)) : moneyFromUnits(BigInt(digits))
}

export const NO_MONEY = moneyFromUnits(0n)

/** Parses an amount without rounding; more than eight decimals are refused. */
export function parseMoney(value: DecimalText): Result<Money, MoneyFault> {
  const decimal = parseDecimal(value)
  if (!decimal.ok) return decimal
  return decimal.value.isExact ? ok(moneyFromUnits(decimal.value.units)) : refuse('too-fine')
}

/** Returns the amount nearest to a modelled double, such as an equity at today's marks. */
export function nearestMoney(value: number): Money {
  assert(Number.isFinite(value), 'not an amount', value)
  const units = Math.round(value * 1e8)
  return Math.abs(units) <= MAX_SAFE_UNITS ? whole(units) : moneyFromUnits(BigInt(units))
}

/** Returns the amount as a double, for screens and indicators. */
export function moneyToNumber(amount: Money): number {
  return unitsToNumber(amount) / 1e8
}

/** Returns the nearest double of the amount's units. */
export function unitsToNumber(amount: Money): number {
  return typeof amount === 'number' ? amount : Number(amount)
}

/** Prints the amount exactly. */
export function printMoney(amount: Money): string {
  return printUnits(BigInt(amount))
}

export function plus(one: Money, other: Money): Money {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other
    if (Math.abs(sum) <= MAX_SAFE_UNITS) return whole(sum)
  }
  return moneyFromUnits(BigInt(one) + BigInt(other))
}

export function minus(one: Money, other: Money): Money {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other
    if (Math.abs(difference) <= MAX_SAFE_UNITS) return whole(difference)
  }
  return moneyFromUnits(BigInt(one) - BigInt(other))
}

/** Returns the amount times an integer. */
export function times(amount: Money, count: number): Money {
  if (typeof amount === 'number') {
    const product = amount * count
    if (Math.abs(product) <= MAX_SAFE_UNITS) return whole(product)
  }
  return moneyFromUnits(BigInt(amount) * BigInt(count))
}

/** Returns `amount × parts / of`, cut towards zero; the remainder stays where the amount was. */
export function portion(amount: Money, parts: number, of: number): Money {
  if (parts === of) return amount
  if (typeof amount === 'number' && Math.abs(amount) <= MAX_EXACT_QUOTIENT && of <= MAX_EXACT_QUOTIENT) {
    // The amount is split into a multiple of `of` and a remainder of the same sign, so that the products stay small.
    const times = Math.trunc(amount / of)
    const fromTimes = times * parts
    const fromRest = (amount - times * of) * parts
    if (Math.abs(fromTimes) <= MAX_EXACT_QUOTIENT && Math.abs(fromRest) <= MAX_EXACT_QUOTIENT) {
      return whole(fromTimes + Math.trunc(fromRest / of))
    }
  }
  return moneyFromUnits((BigInt(amount) * BigInt(parts)) / BigInt(of))
}

/** Returns `amount × parts / of`, rounded up, so that a fee is never too small nor a rebate too large. */
export function portionUp(amount: Money, parts: number, of: number): Money {
  if (typeof amount === 'number' && of <= MAX_EXACT_QUOTIENT) {
    const product = amount * parts
    if (Math.abs(product) <= MAX_EXACT_QUOTIENT) return whole(Math.ceil(product / of))
  }
  const product = BigInt(amount) * BigInt(parts)
  const cut = product / BigInt(of)
  return moneyFromUnits(product > 0n && cut * BigInt(of) !== product ? cut + 1n : cut)
}

export function negative(amount: Money): Money {
  return typeof amount === 'number' ? whole(-amount) : moneyFromUnits(-amount)
}

export function sizeOf(amount: Money): Money {
  return amount < 0 ? negative(amount) : amount
}

/** Brands a double that holds a whole number of units. */
function whole(units: number): Money {
  // Checked by the caller; adding zero turns -0 into 0.
  return (units + 0) as Money
}
