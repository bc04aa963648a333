import type {
  BacktestStatistics,
  Sweep,
  SweepMeasure,
  SweepSegment,
  WalkForwardWindow,
} from '@binnacle/contract'
import { expectedBestSharpe, type Moments, momentsOf, probabilisticSharpe } from '@binnacle/engine'

/** What is known of a set in a segment. */
export interface SetFigures {
  set: number
  segment: number
  statistics: BacktestStatistics
  daily: Moments
  /** Not of sets that were stored before orders were counted. */
  orders?: number
  denied_orders?: number
}

export interface BestSet {
  set: number
  value: number
}

/** BT-39: the first of equal ones. */
export function bestOf(figures: readonly SetFigures[], measure: SweepMeasure): BestSet | null {
  let best: BestSet | null = null
  for (const { set, statistics } of figures) {
    const value = statistics[measure]
    if (value !== null && (best === null || isBetter(value, best.value, measure))) best = { set, value }
  }
  return best
}

export function isBetter(value: number, other: number, measure: SweepMeasure): boolean {
  return measure === 'max_drawdown' ? value < other : value > other
}

const DAYS_PER_YEAR = 365

/** BT-41: of the set with the highest Sharpe ratio. */
export function deflatedSharpe(figures: readonly SetFigures[]): Sweep['deflated_sharpe'] {
  const rated = figures.filter(({ daily }) => daily.count >= 2 && daily.deviation > 0)
  const ratios = rated.map(({ daily }) => daily.mean / daily.deviation)
  if (ratios.length < 2) return null
  const benchmark = expectedBestSharpe(ratios.length, momentsOf(ratios).deviation)
  const best = rated[ratios.indexOf(Math.max(...ratios))]
  return {
    trials: ratios.length,
    expected_best: benchmark * Math.sqrt(DAYS_PER_YEAR),
    probability: best ? probabilisticSharpe(best.daily, benchmark) : null,
  }
}

/** BT-40 */
export function walkForward(
  segments: readonly SweepSegment[],
  figures: readonly SetFigures[],
  measure: SweepMeasure,
): WalkForwardWindow[] {
  return segments.flatMap(({ window, part }, inside) => {
    if (part !== 'in') return []
    const best = bestOf(
      figures.filter(({ segment }) => segment === inside),
      measure,
    )
    const outside = segments.findIndex((other) => other.window === window && other.part === 'out')
    const after = figures.find(({ segment, set }) => segment === outside && set === best?.set)
    return [
      {
        window,
        set: best?.set ?? null,
        in_sample: best?.value ?? null,
        out_of_sample: after?.statistics[measure] ?? null,
      },
    ]
  })
}
