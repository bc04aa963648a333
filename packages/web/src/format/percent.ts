export function formatPercent(percent: number, decimals: 1 | 2): string {
  return `${percent.toFixed(decimals)}%`
}

/** FMT-2: a win rate travels as a fraction. */
export function formatWinRate(fraction: number): string {
  return formatPercent(fraction * 100, 1)
}

/** FMT-2: a drawdown travels as a percentage. */
export function formatDrawdown(percent: number): string {
  return formatPercent(percent, 2)
}

/**
 * A share of a whole in percent; a whole of zero has no shares to speak of and reads 0. Multiplied first, since
 * 0.55 × 100 is a hair above 55 and screens ask whether a bound was passed.
 */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part * 100) / whole
}
