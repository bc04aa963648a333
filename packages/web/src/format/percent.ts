export function formatPercent(percent: number, decimals: 1 | 2): string {
  return `${percent.toFixed(decimals)}%`
}

/** FMT-2: a win rate is sent as a fraction. */
export function formatWinRate(fraction: number): string {
  return formatPercent(fraction * 100, 1)
}

/** FMT-2: a drawdown is sent as a percentage. */
export function formatDrawdown(percent: number): string {
  return formatPercent(percent, 2)
}

/** RISK-6: 0 if the whole is 0. Multiplies first: 0.55 × 100 is slightly above 55 and would cross a bound. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part * 100) / whole
}
