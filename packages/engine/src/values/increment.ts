import { assert } from './bug.ts'
import { type DecimalText, parseDecimal, plainUnits, printUnits } from './decimal.ts'
import { ok, type Result, refuse } from './result.ts'

/** The smallest change of a price (tick) or quantity (lot) in units of 10⁻⁸, and how many of them a value has at most. */
export interface Increment {
  readonly units: bigint
  /** The units as a double, for fast paths where they are exact. */
  readonly unitCount: number
  readonly maxCount: number
}

export type IncrementFault =
  | { readonly fault: 'not-a-number' | 'infinite' | 'zero' | 'negative'; readonly given: string }
  | { readonly fault: 'too-large'; readonly given: string; readonly max: string }
  | {
      readonly fault: 'off-step'
      readonly given: string
      readonly step: string
      readonly below: string
      readonly above: string
    }

/** Creates an increment from a decimal such as '0.01', whose largest multiple converts exactly to a double. */
export function createIncrement(size: string, max: string): Increment {
  const units = exactUnits(size)
  const maxCount = Number(exactUnits(max) / units)
  assert(units > 0n && maxCount > 0, `an increment of ${size} up to ${max} makes no sense`)
  assert(Number.isSafeInteger(maxCount * Number(units)), `${max} does not convert exactly`)
  return { units, unitCount: Number(units), maxCount }
}

/** Parses a positive decimal into whole increments up to the maximum. */
export function countIncrements(value: DecimalText, of: Increment): Result<number, IncrementFault> {
  const given = String(value)
  const plain = plainUnits(given)
  const plainCount = plain > 0 && plain % of.unitCount === 0 ? plain / of.unitCount : 0
  if (plainCount > 0 && plainCount <= of.maxCount) return ok(plainCount)
  const decimal = parseDecimal(value)
  if (!decimal.ok)
    return refuse(decimal.reason === 'too-large' ? tooLarge(given, of) : { fault: decimal.reason, given })
  const { units, isExact, isNegative } = decimal.value
  if (units === 0n && isExact) return refuse({ fault: 'zero', given })
  if (isNegative) return refuse({ fault: 'negative', given })
  const count = units / of.units
  if (count > BigInt(of.maxCount)) return refuse(tooLarge(given, of))
  if (!isExact || units % of.units !== 0n) return refuse(offStep(given, count, of))
  return ok(Number(count))
}

/** Returns the nearest double of a number of increments; exact decimals print unchanged. */
export function incrementsToNumber(count: number, of: Increment): number {
  return (count * of.unitCount) / 1e8
}

/** Prints a number of increments exactly. */
export function printIncrements(count: number, of: Increment): string {
  return printUnits(BigInt(count) * of.units)
}

function tooLarge(given: string, of: Increment): IncrementFault {
  return { fault: 'too-large', given, max: printUnits(BigInt(of.maxCount) * of.units) }
}

function offStep(given: string, count: bigint, of: Increment): IncrementFault {
  return {
    fault: 'off-step',
    given,
    step: printUnits(of.units),
    below: printUnits(count * of.units),
    above: printUnits((count + 1n) * of.units),
  }
}

function exactUnits(text: string): bigint {
  const decimal = parseDecimal(text)
  assert(decimal.ok && decimal.value.isExact, `${text} is not a multiple of 0.00000001`)
  return decimal.value.units
}
