import { MS_PER_DAY } from '#values/instant.ts'
import type { EquityTally, ReturnTally } from './equity-tally.ts'
import type { TradeTotals } from './trade-log.ts'

/**
 * The figures of a run: fractions unless stated otherwise, null where a figure is not defined, never NaN or infinite.
 * docs/guide/backtests.md defines each of them.
 */
export interface BacktestStatistics {
  readonly totalReturn: number
  readonly cagr: number | null
  readonly volatility: number | null
  readonly sharpe: number | null
  readonly sortino: number | null
  readonly calmar: number | null
  readonly maxDrawdown: number
  readonly maxDrawdownMs: number
  readonly trades: number
  readonly winRate: number | null
  readonly profitFactor: number | null
  /** In quote currency per trade. */
  readonly expectancy: number | null
  readonly exposureTime: number
  /** As a multiple of the capital. */
  readonly turnover: number
  readonly fees: number
  readonly funding: number
}

export type DailyRatios = Pick<BacktestStatistics, 'volatility' | 'sharpe' | 'sortino'>

export interface Account {
  readonly capital: number
  readonly fees: number
  readonly funding: number
  /** The value of all fills. */
  readonly traded: number
}

export interface BarsHeld {
  readonly held: number
  readonly all: number
}

const DAYS_PER_YEAR = 365

/** Computes the figures from the tallies. */
export function statisticsOf(
  equity: EquityTally,
  trades: TradeTotals,
  account: Account,
  bars: BarsHeld,
): BacktestStatistics {
  const { capital } = account
  const cagr = growthPerYear(equity.last / capital, equity.spanMs)
  return {
    totalReturn: equity.last / capital - 1,
    cagr,
    ...ratiosOf(equity.returns),
    calmar: calmarOf(cagr, equity.deepest),
    maxDrawdown: equity.deepest,
    maxDrawdownMs: equity.deepestMs,
    trades: trades.count,
    ...withoutPayoff(tradeRatiosOf(trades)),
    exposureTime: bars.all === 0 ? 0 : bars.held / bars.all,
    turnover: account.traded / capital,
    fees: account.fees,
    funding: account.funding,
  }
}

/** What trades earned, per trade. */
export interface TradeRatios {
  readonly winRate: number | null
  readonly profitFactor: number | null
  /** In quote currency per trade. */
  readonly expectancy: number | null
  /** The average gain over the average loss. */
  readonly payoff: number | null
}

/** A trade that gained nothing counts as lost. */
export function tradeRatiosOf({ count, won, gained, lost }: TradeTotals): TradeRatios {
  return {
    winRate: ratio(won, count),
    profitFactor: ratio(gained, lost),
    expectancy: ratio(gained - lost, count),
    payoff: won === 0 ? null : ratio(gained * (count - won), won * lost),
  }
}

/** Stored results have no payoff. */
function withoutPayoff({ winRate, profitFactor, expectancy }: TradeRatios) {
  return { winRate, profitFactor, expectancy }
}

export function calmarOf(cagr: number | null, deepest: number): number | null {
  return cagr === null ? null : ratio(cagr, deepest)
}

/** A year has 365 days, since these markets never close. Runs shorter than a day are not annualised. */
export function growthPerYear(growth: number, spanMs: number): number | null {
  if (growth <= 0 || spanMs < MS_PER_DAY) return null
  return finite(growth ** ((DAYS_PER_YEAR * MS_PER_DAY) / spanMs) - 1)
}

/** Below this share of their mean, the deviation of returns is rounding: they are equal. */
const EQUAL_SHARE = 1e-7

/** The ratios of daily returns, per year. */
export function ratiosOf({ days, sum, squares, losses }: ReturnTally): DailyRatios {
  if (days < 2) return { volatility: null, sharpe: null, sortino: null }
  const mean = sum / days
  const deviation = Math.sqrt(Math.max(0, (squares - days * mean * mean) / (days - 1)))
  const year = Math.sqrt(DAYS_PER_YEAR)
  const below = Math.sqrt(losses / days)
  return {
    volatility: finite(deviation * year),
    sharpe: deviation <= EQUAL_SHARE * Math.abs(mean) ? null : ratio(mean * year, deviation),
    sortino: ratio(mean * year, below),
  }
}

function ratio(one: number, other: number): number | null {
  return other > 0 ? finite(one / other) : null
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
