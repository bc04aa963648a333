/**
 * The number with thousands separators and between `min` and `max` decimals, as Intl.NumberFormat('en-US') prints it.
 * That is not used: its first use loads the browser's tables of all languages, a tenth of the time to the first paint.
 */
export function formatNumber(value: number, min = 0, max = Math.max(min, 3)): string {
  if (!Number.isFinite(value)) return value.toLocaleString('en-US')
  const units = inUnits(Math.abs(value), max).padStart(max + 1, '0')
  const whole = units.slice(0, units.length - max).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const decimals = units.slice(units.length - max)
  const isNegative = value < 0 || Object.is(value, -0)
  return `${isNegative ? '-' : ''}${whole}${shownDecimals(decimals, min)}`
}

/** The digits of a number without its point, rounded half up to so many decimals. */
function inUnits(value: number, decimals: number): string {
  const [mantissa = '', exponent] = value.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const length = Number(exponent) + 1 + decimals
  if (length >= digits.length) return digits.padEnd(length, '0')
  if (length < 0) return '0'
  const isUp = digits.charAt(length) >= '5'
  return String(BigInt(digits.slice(0, length)) + (isUp ? 1n : 0n))
}

function shownDecimals(decimals: string, min: number): string {
  const shown = decimals.replace(/0+$/, '').padEnd(min, '0')
  return shown === '' ? '' : `.${shown}`
}
