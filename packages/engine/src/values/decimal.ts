import { accept, type Result, refuse } from './result.ts'

/** Units per 1: money and the steps of prices and quantities are whole numbers of 10⁻⁸. */
export const UNITS_PER_ONE = 100_000_000n
const UNIT_DIGITS = 8

/** Numbers arrive as JSON numbers or as text; both are parsed digit by digit. */
export type DecimalText = number | string

export type DecimalFault = 'not-a-number' | 'infinite' | 'too-large'

/** A decimal in units of 10⁻⁸, cut towards zero; `isExact` is false when digits were cut. */
export interface Decimal {
  readonly units: bigint
  readonly isExact: boolean
  readonly isNegative: boolean
}

/** Parses a decimal without rounding; a JSON number counts as its shortest text. */
export function parseDecimal(value: DecimalText): Result<Decimal, DecimalFault> {
  const text = String(value).trim()
  if (/^[+-]?Infinity$/.test(text)) return refuse('infinite')
  const match = DECIMAL.exec(text)
  if (!match) return refuse('not-a-number')
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return refuse('not-a-number')
  const digits = (whole + fraction).replace(/^0+/, '')
  const scale = Number(exponent) - fraction.length + UNIT_DIGITS
  // Limits the work of expanding an exponent.
  if (digits !== '' && digits.length + scale > MAX_DIGITS) return refuse('too-large')
  return accept(scaled(digits, scale, sign === '-'))
}

/** Prints units of 10⁻⁸ as a plain decimal without trailing zeros. */
export function printUnits(units: bigint): string {
  const size = units < 0n ? -units : units
  const whole = size / UNITS_PER_ONE
  const fraction = (size % UNITS_PER_ONE).toString().padStart(UNIT_DIGITS, '0').replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/
const MAX_DIGITS = 40

function scaled(digits: string, scale: number, isNegative: boolean): Decimal {
  const scaled = scale >= 0 ? digits + '0'.repeat(digits === '' ? 0 : scale) : digits.slice(0, scale)
  const cut = scale >= 0 ? '' : digits.slice(scale)
  const size = BigInt(scaled === '' ? '0' : scaled)
  return { units: isNegative ? -size : size, isExact: !/[1-9]/.test(cut), isNegative }
}
