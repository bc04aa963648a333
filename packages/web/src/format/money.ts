import { formatNumber } from './number.ts'

/** FMT-1: dollars with two decimals and thousands separators; the sign precedes the dollar. */
export function formatMoney(amount: number): string {
  const shown = formatNumber(Math.abs(amount), 2, 2)
  // Less than half a cent below zero would print as '-$0.00'.
  const sign = amount < 0 && shown !== '0.00' ? '-' : ''
  return `${sign}$${shown}`
}

/** RISK-65: an amount that a person entered, with as many decimals as it has, at least two and at most eight. */
export function formatExactMoney(amount: number): string {
  const shown = formatNumber(amount, 2, 8)
  return `$${shown}`
}

/** FMT-4: every gain and loss has a sign, so that colour alone does not carry the meaning. */
export function formatGain(amount: number): string {
  const sign = amount < 0 ? '-' : amount > 0 ? '+' : ''
  return `${sign}$${formatNumber(Math.abs(amount), 2, 2)}`
}

/** The price as sent, with separators and at least two decimals. */
export function formatPrice(price: number): string {
  return formatNumber(price, 2, 8)
}

/** A computed price: eight significant digits, at least two decimals. */
export function formatAveragePrice(price: number): string {
  const wholeDigits = Math.trunc(Math.abs(price)).toString().replace(/^0$/, '').length
  return formatNumber(price, 2, Math.max(2, 8 - wholeDigits))
}

/** POS-13, ORD-51: prices of one instrument share their decimals, those of its tick but at least two. */
export function formatTickPrice(price: number, tick: number): string {
  const decimals = Math.max(2, decimalsOf(tick))
  return formatNumber(price, decimals, decimals)
}

/** By the tick if it is known, else as `format` says. */
export function formatPriceAtTick(
  price: number,
  tick: number | undefined,
  format: (price: number) => string = formatPrice,
): string {
  return tick === undefined ? format(price) : formatTickPrice(price, tick)
}

/** Charts print hundreds of prices per frame. */
const knownDecimals = new Map<number, number>()

function decimalsOf(step: number): number {
  const known = knownDecimals.get(step)
  if (known !== undefined) return known
  const decimals = step.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0
  knownDecimals.set(step, decimals)
  return decimals
}

/** SHELL-80: a figure that a strategy decided on, as `fast average 60,005.197` or `distance (bps) -0.1004`. */
export function formatSignal(name: string, value: number): string {
  const words = name.replace(/_bps$/, ' (bps)').replaceAll('_', ' ')
  return `${words} ${formatQuantity(Number(value.toPrecision(Math.abs(value) < 1 ? 4 : 8)))}`
}

/** POS-12: an amount that is shown as 0.00 is zero, so that it has no sign. */
export function roundToZero(amount: number): number {
  return formatNumber(Math.abs(amount), 2, 2) === '0.00' ? 0 : amount
}

/** The direction of an amount as it is shown; undefined for 0.00, which has no colour. */
export function directionOf(amount: number): 'up' | 'down' | undefined {
  const shown = roundToZero(amount)
  return shown === 0 ? undefined : shown > 0 ? 'up' : 'down'
}

/** ORD-50: a fee below half a cent is not shown as nothing. */
export function formatFee(fee: number): string {
  return fee > 0 && roundToZero(fee) === 0 ? '<$0.01' : formatMoney(fee)
}

/** MKT-75: sizes of one instrument share the decimals of its lot, so that none is shown as 0; without a lot as sent. */
export function formatSize(quantity: number, lot: number | undefined): string {
  if (lot === undefined) return formatQuantity(quantity)
  // A size below a lot, of a venue that knows finer ones, keeps its digits.
  if (quantity > 0 && quantity < lot) return formatQuantity(quantity)
  const decimals = decimalsOf(lot)
  return formatNumber(quantity, decimals, decimals)
}

/** The quantity as sent: lot sizes differ between instruments, so no digit is added or dropped. */
export function formatQuantity(quantity: number): string {
  return formatNumber(quantity, 0, 12)
}
