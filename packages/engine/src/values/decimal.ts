import { ok, type Result, refuse } from './result.ts'

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
  return ok(scaled(digits, scale, sign === '-'))
}

/**
 * Returns the units of a plain decimal such as 0.25 that fit a double exactly, and -1 for any other text. Orders have
 * such decimals, and parsing them as any decimal takes ten times as long.
 */
export function plainUnits(text: string): number {
  let digits = 0
  let read = 0
  let decimals = -1
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === POINT && decimals === -1) decimals = 0
    else if (code >= ZERO && code <= NINE) {
      digits = digits * 10 + (code - ZERO)
      read += 1
      if (decimals !== -1) decimals += 1
    } else return -1
  }
  const scale = UNIT_DIGITS - Math.max(0, decimals)
  return read === 0 || scale < 0 || read + scale > MAX_EXACT_DIGITS ? -1 : digits * 10 ** scale
}

const POINT = 46
const ZERO = 48
const NINE = 57
/** Every whole number of so many digits is an exact double. */
const MAX_EXACT_DIGITS = 15

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
