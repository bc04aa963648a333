import type { Brand } from './brand.ts'
import { assert } from './bug.ts'
import { type DecimalFault, type DecimalText, parseDecimal, printUnits } from './decimal.ts'
import { accept, type Result, refuse } from './result.ts'

/**
 * An exact amount of the quote currency in whole units of 10⁻⁸: a double where it holds every unit, which is up to 90
 * million, and a bigint beyond. An amount has one form only, so that `===` and `<` mean what they say (0004).
 */
export type Money = Brand<number | bigint, 'Money'>

export type MoneyFault = DecimalFault | 'too-fine'

/** Up to here a double holds every whole number; what is rounded lies above it, since it is rounded from above. */
const MOST = Number.MAX_SAFE_INTEGER
/** Up to here the quotient of two whole doubles, once it is cut, is that of the numbers themselves. */
const MOST_DIVIDED = 2 ** 52

/** Makes money of units of 10⁻⁸. */
export function money(units: bigint): Money {
  // Here an amount takes its form, and the functions below keep it.
  return (units <= MOST && units >= -MOST ? Number(units) : units) as Money
}

/** As many digits, and a sign, are always a whole number that a double holds. */
const SHORT = 15

/** Makes money of units of 10⁻⁸ that are written in digits, as a journal has them. */
export function moneyOfUnits(digits: string): Money {
  return digits.length <= SHORT ? whole(Number(digits)) : money(BigInt(digits))
}

export const NO_MONEY = money(0n)

/** Reads an amount without rounding; more than eight decimals are refused. */
export function parseMoney(value: DecimalText): Result<Money, MoneyFault> {
  const decimal = parseDecimal(value)
  if (!decimal.ok) return decimal
  return decimal.value.isExact ? accept(money(decimal.value.units)) : refuse('too-fine')
}

/** Returns the amount nearest to a modelled double, such as an equity at today's marks. */
export function nearestMoney(value: number): Money {
  assert(Number.isFinite(value), 'not an amount', value)
  const units = Math.round(value * 1e8)
  return Math.abs(units) <= MOST ? whole(units) : money(BigInt(units))
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
    if (Math.abs(sum) <= MOST) return whole(sum)
  }
  return money(BigInt(one) + BigInt(other))
}

export function minus(one: Money, other: Money): Money {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other
    if (Math.abs(difference) <= MOST) return whole(difference)
  }
  return money(BigInt(one) - BigInt(other))
}

/** Returns the amount so many times; the count is whole. */
export function times(amount: Money, count: number): Money {
  if (typeof amount === 'number') {
    const product = amount * count
    if (Math.abs(product) <= MOST) return whole(product)
  }
  return money(BigInt(amount) * BigInt(count))
}

/** Returns `amount × parts / of`, cut towards zero; the remainder stays where the amount was. */
export function portion(amount: Money, parts: number, of: number): Money {
  if (parts === of) return amount
  if (typeof amount === 'number' && Math.abs(amount) <= MOST_DIVIDED && of <= MOST_DIVIDED) {
    // The amount is taken apart, so that the products stay small: whole times `of`, and a rest of the same sign.
    const times = Math.trunc(amount / of)
    const fromTimes = times * parts
    const fromRest = (amount - times * of) * parts
    if (Math.abs(fromTimes) <= MOST_DIVIDED && Math.abs(fromRest) <= MOST_DIVIDED) {
      return whole(fromTimes + Math.trunc(fromRest / of))
    }
  }
  return money((BigInt(amount) * BigInt(parts)) / BigInt(of))
}

/** Returns `amount × parts / of`, rounded up, so that a fee is never too small nor a rebate too large. */
export function portionUp(amount: Money, parts: number, of: number): Money {
  if (typeof amount === 'number' && of <= MOST_DIVIDED) {
    const product = amount * parts
    if (Math.abs(product) <= MOST_DIVIDED) return whole(Math.ceil(product / of))
  }
  const product = BigInt(amount) * BigInt(parts)
  const cut = product / BigInt(of)
  return money(product > 0n && cut * BigInt(of) !== product ? cut + 1n : cut)
}

export function negative(amount: Money): Money {
  return typeof amount === 'number' ? whole(-amount) : money(-amount)
}

export function sizeOf(amount: Money): Money {
  return amount < 0 ? negative(amount) : amount
}

/** Names a double that holds a whole number of units. */
function whole(units: number): Money {
  // Checked by whoever calls; adding zero turns -0 into 0.
  return (units + 0) as Money
}
