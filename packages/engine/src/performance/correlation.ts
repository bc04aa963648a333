/** With fewer days a correlation is chance. */
const CORRELATION_DAYS = 10

/** Pearson's correlation of two rows of equal length; null with too few days or where one does not vary. */
export function correlationOf(one: readonly number[], other: readonly number[]): number | null {
  const days = one.length
  if (days < CORRELATION_DAYS) return null
  const [mean, otherMean] = [meanOf(one), meanOf(other)]
  let [products, squares, otherSquares] = [0, 0, 0]
  for (const [day, value] of one.entries()) {
    const [a, b] = [value - mean, (other[day] ?? 0) - otherMean]
    products += a * b
    squares += a * a
    otherSquares += b * b
  }
  if (isRounding(squares, mean, days) || isRounding(otherSquares, otherMean, days)) return null
  return Math.min(1, Math.max(-1, products / Math.sqrt(squares) / Math.sqrt(otherSquares)))
}

/** Whether a row does not vary by more than the rounding of its mean. */
function isRounding(squares: number, mean: number, days: number): boolean {
  return squares <= days * (1e-12 * mean) ** 2
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
