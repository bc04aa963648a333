import type { PerformanceReport } from '@binnacle/contract'

export interface EquityPoint {
  /** In seconds. */
  at: number
  equity: number
  drawdown: number
}

/** PERF-32: the curve begins with the equity at the start, so that its first interval is a line as well. */
export function equityPoints({
  from,
  start_equity: equity,
  curve,
}: Pick<PerformanceReport, 'from' | 'start_equity' | 'curve'>): EquityPoint[] {
  const points = curve.map(([at, value, drawdown]) => ({ at, equity: value, drawdown }))
  const start = { at: Math.floor(Date.parse(from) / 1000), equity, drawdown: 0 }
  const [first] = points
  return first !== undefined && start.at < first.at ? [start, ...points] : points
}
