import { assert } from './bug.ts'
import { type DecimalText, parseDecimal, plainUnits, printUnits } from './decimal.ts'
import { ok, type Result, refuse } from './result.ts'

/** The smallest change of a price (tick) or quantity (lot) in units of 10⁻⁸, and the maximum number of steps. */
export interface Step {
  readonly units: bigint
  /** The units as a double, for fast paths where they are exact. */
  readonly unitCount: number
  readonly maxSteps: number
}

export type StepFault =
  | { readonly fault: 'not-a-number' | 'infinite' | 'zero' | 'negative'; readonly given: string }
  | { readonly fault: 'too-large'; readonly given: string; readonly max: string }
  | {
      readonly fault: 'off-step'
      readonly given: string
      readonly step: string
      readonly below: string
      readonly above: string
    }

/** Creates a step from a decimal such as '0.01', whose largest multiple converts exactly to a double. */
export function step(size: string, max: string): Step {
  const stepUnits = exactUnits(size)
  const maxSteps = Number(exactUnits(max) / stepUnits)
  assert(stepUnits > 0n && maxSteps > 0, `a step of ${size} up to ${max} makes no sense`)
  assert(Number.isSafeInteger(maxSteps * Number(stepUnits)), `${max} does not convert exactly`)
  return { units: stepUnits, unitCount: Number(stepUnits), maxSteps }
}

/** Parses a positive decimal into whole steps up to the maximum. */
export function countSteps(value: DecimalText, of: Step): Result<number, StepFault> {
  const given = String(value)
  const plain = plainUnits(given)
  const plainSteps = plain > 0 && plain % of.unitCount === 0 ? plain / of.unitCount : 0
  if (plainSteps > 0 && plainSteps <= of.maxSteps) return ok(plainSteps)
  const decimal = parseDecimal(value)
  if (!decimal.ok)
    return refuse(decimal.reason === 'too-large' ? tooLarge(given, of) : { fault: decimal.reason, given })
  const { units, isExact, isNegative } = decimal.value
  if (units === 0n && isExact) return refuse({ fault: 'zero', given })
  if (isNegative) return refuse({ fault: 'negative', given })
  const steps = units / of.units
  if (steps > BigInt(of.maxSteps)) return refuse(tooLarge(given, of))
  if (!isExact || units % of.units !== 0n) return refuse(offStep(given, steps, of))
  return ok(Number(steps))
}

/** Returns the nearest double of a number of steps; exact decimals print unchanged. */
export function stepsToNumber(steps: number, of: Step): number {
  return (steps * of.unitCount) / 1e8
}

/** Prints a number of steps exactly. */
export function printSteps(steps: number, of: Step): string {
  return printUnits(BigInt(steps) * of.units)
}

function tooLarge(given: string, of: Step): StepFault {
  return { fault: 'too-large', given, max: printUnits(BigInt(of.maxSteps) * of.units) }
}

function offStep(given: string, steps: bigint, of: Step): StepFault {
  return {
    fault: 'off-step',
    given,
    step: printUnits(of.units),
    below: printUnits(steps * of.units),
    above: printUnits((steps + 1n) * of.units),
  }
}

function exactUnits(text: string): bigint {
  const decimal = parseDecimal(text)
  assert(decimal.ok && decimal.value.isExact, `${text} is not a multiple of 0.00000001`)
  return decimal.value.units
}
