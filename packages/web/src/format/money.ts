const TWO_DECIMALS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** FMT: dollars with two decimals and thousands separators; the sign stands before the dollar. */
export function formatMoney(amount: number): string {
  const sign = isShownNegative(amount) ? '-' : ''
  return `${sign}$${TWO_DECIMALS.format(Math.abs(amount))}`
}

/** Gains and losses carry their sign, so that colour is never the only witness. */
export function formatGain(amount: number): string {
  return amount > 0 && formatMoney(amount) !== '$0.00' ? `+${formatMoney(amount)}` : formatMoney(amount)
}

/** A price as it came, with separators and at least two decimals. */
export function formatPrice(price: number): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })
}

/** A quantity as it came: lots differ between instruments, so no digit is added or lost. */
export function formatQuantity(quantity: number): string {
  return quantity.toLocaleString('en-US', { maximumFractionDigits: 12 })
}

// Half a cent of loss would print as '-$0.00'.
function isShownNegative(amount: number): boolean {
  return amount < 0 && TWO_DECIMALS.format(Math.abs(amount)) !== '0.00'
}
