import type { PerformanceFigures } from '@binnacle/contract'
import { copy } from './copy.ts'

export type ReasonedFigure =
  | 'total_return'
  | 'cagr'
  | 'volatility'
  | 'sharpe'
  | 'sortino'
  | 'calmar'
  | 'win_rate'
  | 'payoff'
  | 'profit_factor'
  | 'expectancy'

/** PERF-21: why a figure is not defined; undefined for one that is. */
export function reasonFor(name: ReasonedFigure, figures: PerformanceFigures): string | undefined {
  if (figures[name] !== null) return undefined
  const { reasons } = copy
  switch (name) {
    case 'total_return':
      return reasons.noEquity
    case 'cagr':
      return reasons.shortOfDay
    case 'volatility':
      return reasons.days(2, figures.days)
    case 'sharpe':
      return figures.days < 2 ? reasons.days(2, figures.days) : reasons.noVariance
    case 'sortino':
      return figures.days < 2 ? reasons.days(2, figures.days) : reasons.noLosingDay
    case 'calmar':
      return figures.cagr === null ? reasons.shortOfDay : reasons.noDrawdown
    case 'win_rate':
    case 'expectancy':
      return reasons.noTrades
    case 'payoff':
      return figures.trades === 0 ? reasons.noTrades : reasons.oneSided
    case 'profit_factor':
      return figures.trades === 0 ? reasons.noTrades : reasons.noLoss
    default:
      return name satisfies never
  }
}
