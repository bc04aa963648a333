/** FMT-1: dollars with two decimals and thousands separators; the sign precedes the dollar. */
export function formatMoney(amount: number): string {
  const shown = tickFormat(0.01).format(Math.abs(amount))
  // Less than half a cent below zero would print as '-$0.00'.
  const sign = amount < 0 && shown !== '0.00' ? '-' : ''
  return `${sign}$${shown}`
}

/** RISK-65: an amount that a person entered, with as many decimals as it has, at least two and at most eight. */
export function formatExactMoney(amount: number): string {
  const shown = amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })
  return `$${shown}`
}

/** FMT-4: every gain and loss has a sign, so that colour alone does not carry the meaning. */
export function formatGain(amount: number): string {
  const sign = amount < 0 ? '-' : amount > 0 ? '+' : ''
  return `${sign}$${tickFormat(0.01).format(Math.abs(amount))}`
}

/** The price as sent, with separators and at least two decimals. */
export function formatPrice(price: number): string {
  return priceFormat.format(price)
}

const priceFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })

/** A computed price: eight significant digits, at least two decimals. */
export function formatAveragePrice(price: number): string {
  const wholeDigits = Math.trunc(Math.abs(price)).toString().replace(/^0$/, '').length
  return price.toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, 8 - wholeDigits),
  })
}

/** POS-13, ORD-51: prices of one instrument share their decimals, those of its tick but at least two. */
export function formatTickPrice(price: number, tick: number): string {
  return tickFormat(tick).format(price)
}

/** A format is costly to make, and charts print hundreds of prices per frame. */
const tickFormats = new Map<number, Intl.NumberFormat>()

function tickFormat(tick: number): Intl.NumberFormat {
  const known = tickFormats.get(tick)
  if (known !== undefined) return known
  const decimals = Math.max(2, decimalsOf(tick))
  const made = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  tickFormats.set(tick, made)
  return made
}

function decimalsOf(step: number): number {
  return step.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0
}

/** SHELL-80: a figure that a strategy decided on, as `fast average 60,005.197` or `distance (bps) -0.1004`. */
export function formatSignal(name: string, value: number): string {
  const words = name.replace(/_bps$/, ' (bps)').replaceAll('_', ' ')
  return `${words} ${formatQuantity(Number(value.toPrecision(Math.abs(value) < 1 ? 4 : 8)))}`
}

/** POS-12: an amount that is shown as 0.00 is zero, so that it has no sign. */
export function roundToZero(amount: number): number {
  return tickFormat(0.01).format(Math.abs(amount)) === '0.00' ? 0 : amount
}

/** ORD-50: a fee below half a cent is not shown as nothing. */
export function formatFee(fee: number): string {
  return fee > 0 && roundToZero(fee) === 0 ? '<$0.01' : formatMoney(fee)
}

/** MKT-75: sizes of one instrument share the decimals of its lot, so that none is shown as 0; without a lot as sent. */
export function formatSize(quantity: number, lot: number | undefined): string {
  if (lot === undefined) return formatQuantity(quantity)
  // A size below a lot, of a venue that knows finer ones, keeps its digits.
  return quantity > 0 && quantity < lot ? formatQuantity(quantity) : lotFormat(lot).format(quantity)
}

const lotFormats = new Map<number, Intl.NumberFormat>()

function lotFormat(lot: number): Intl.NumberFormat {
  const known = lotFormats.get(lot)
  if (known !== undefined) return known
  const decimals = decimalsOf(lot)
  const made = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  lotFormats.set(lot, made)
  return made
}

/** The quantity as sent: lot sizes differ between instruments, so no digit is added or dropped. */
export function formatQuantity(quantity: number): string {
  return quantityFormat.format(quantity)
}

const quantityFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 })
