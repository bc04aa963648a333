const TWO_DECIMALS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** FMT-1: dollars with two decimals and thousands separators; the sign stands before the dollar. */
export function formatMoney(amount: number): string {
  const shown = TWO_DECIMALS.format(Math.abs(amount))
  // Half a cent less than nothing would print as '-$0.00'.
  const sign = amount < 0 && shown !== '0.00' ? '-' : ''
  return `${sign}$${shown}`
}

/** FMT-4: gains and losses carry their sign, the smallest included, so that colour is never the only witness. */
export function formatGain(amount: number): string {
  const sign = amount < 0 ? '-' : amount > 0 ? '+' : ''
  return `${sign}$${TWO_DECIMALS.format(Math.abs(amount))}`
}

/** A price as it came, with separators and at least two decimals. */
export function formatPrice(price: number): string {
  return price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })
}

/** A price that was made by dividing: eight figures tell it, and the cents are always among them. */
export function formatAveragePrice(price: number): string {
  const wholeDigits = Math.trunc(Math.abs(price)).toString().replace(/^0$/, '').length
  return price.toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, 8 - wholeDigits),
  })
}

/** A quantity as it came: lots differ between instruments, so no digit is added or lost. */
export function formatQuantity(quantity: number): string {
  return quantity.toLocaleString('en-US', { maximumFractionDigits: 12 })
}
