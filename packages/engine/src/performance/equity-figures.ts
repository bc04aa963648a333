import { EquityTally } from '#backtest/equity-tally.ts'
import { type BacktestStatistics, calmarOf, growthPerYear, ratiosOf } from '#backtest/statistics.ts'

/** Equity at the end of an interval, and its lowest within it. */
export interface EquitySample {
  /** The end of the interval, in milliseconds. */
  readonly at: number
  readonly equity: number
  readonly low: number
}

/** The figures of a period as those of a backtest: fractions, null where a figure is not defined. */
export interface EquityFigures
  extends Pick<
    BacktestStatistics,
    'cagr' | 'volatility' | 'sharpe' | 'sortino' | 'calmar' | 'maxDrawdown' | 'maxDrawdownMs'
  > {
  readonly totalReturn: number | null
  /** UTC days with a return. */
  readonly days: number
  /** The drawdown at each sample, as a fraction of the peak. */
  readonly drawdowns: readonly number[]
}

/** Measures equity by the tally of backtests. An interval's low counts for the deepest drawdown. */
export function measureEquity(
  start: Pick<EquitySample, 'at' | 'equity'>,
  samples: readonly EquitySample[],
): EquityFigures {
  const tally = new EquityTally(start.equity, start.at)
  const drawdowns = samples.map(({ at, equity, low }) => {
    // The low follows the peaks of earlier intervals; its order within its own is not known.
    if (tally.peak > 0) tally.noteBelowPeak(low)
    tally.note(at, equity)
    return tally.drawdown
  })
  tally.finish()
  const cagr = start.equity > 0 ? growthPerYear(tally.last / start.equity, tally.spanMs) : null
  return {
    totalReturn: start.equity > 0 ? tally.last / start.equity - 1 : null,
    cagr,
    ...ratiosOf(tally.returns),
    calmar: calmarOf(cagr, tally.deepest),
    maxDrawdown: tally.deepest,
    maxDrawdownMs: tally.deepestMs,
    days: tally.returns.days,
    drawdowns,
  }
}
