export function formatPercent(percent: number, decimals: 1 | 2): string {
  return `${percent.toFixed(decimals)}%`
}

/** A share of a whole in percent; a whole of zero has no shares to speak of and reads 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}
