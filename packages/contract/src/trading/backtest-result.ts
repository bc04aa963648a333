import * as z from 'zod'
import { object } from '#object.ts'

/** Limits of a reply: points of the equity and drawdown series, and trades. */
export const EQUITY_POINTS_MAX = 2_000
export const BACKTEST_TRADES_MAX = 1_000

export const BacktestTrade = object(() => ({
  instrument: z.string(),
  side: z.string().describe('LONG or SHORT'),
  opened_at: z.string(),
  closed_at: z.string(),
  quantity: z.number(),
  entry_price: z.number().describe('The average of its opening fills'),
  exit_price: z.number().describe('The average of its closing fills'),
  fees: z.number(),
  funding: z.number().describe('Received when positive'),
  pnl: z.number().describe('After fees and funding'),
})).meta({ id: 'BacktestTrade' })
export type BacktestTrade = z.output<typeof BacktestTrade>

const Statistic = z.number().nullable()

/** Each figure is defined in the documentation; null where it is undefined for this run. */
export const BacktestStatistics = object(() => ({
  total_return: z.number().describe('A fraction of the capital'),
  cagr: Statistic.describe('Growth per year, a fraction; null for less than a day'),
  volatility: Statistic.describe('Of daily returns, per year, a fraction; null with fewer than two days'),
  sharpe: Statistic,
  sortino: Statistic,
  calmar: Statistic,
  max_drawdown: z.number().describe('A fraction of the peak'),
  max_drawdown_seconds: z.number().describe('From the peak until it was reached again, or until the end'),
  trades: z.number().describe('Closed positions'),
  win_rate: Statistic.describe('A fraction of the trades'),
  profit_factor: Statistic,
  expectancy: Statistic.describe('Per trade, in quote currency'),
  exposure_time: z.number().describe('The fraction of bars that ended with an open position'),
  turnover: z.number().describe('Traded value, as a multiple of the capital'),
  fees: z.number(),
  funding: z.number(),
})).meta({ id: 'BacktestStatistics' })
export type BacktestStatistics = z.output<typeof BacktestStatistics>

export const EquityPoint = object(() => ({
  at: z.string(),
  equity: z.number(),
  drawdown: z.number().describe('A fraction of the peak'),
})).meta({ id: 'EquityPoint' })
export type EquityPoint = z.output<typeof EquityPoint>

export const BacktestResult = object(() => ({
  statistics: BacktestStatistics,
  final_equity: z.number(),
  equity_curve: z
    .array(EquityPoint)
    .describe(`Evenly spread over the bars, at most ${EQUITY_POINTS_MAX} points, the last bar included`),
  trades: z.array(BacktestTrade).describe(`The latest ${BACKTEST_TRADES_MAX}, oldest first`),
  trades_total: z.number(),
  bars: z.number(),
  orders: z.number(),
  denied_orders: z.number().describe('Orders denied by the risk checks'),
  open_positions: z.number().describe('Still open at the end; their value is in the equity'),
  trading_state: z.string().describe('REDUCING when the daily loss limit was reached'),
  approximations: z
    .array(z.string())
    .optional()
    .describe('What the engine of the run could only approximate, a sentence each'),
  events: z.number(),
  events_digest: z.string().describe('Digest of all events of the run'),
  hash: z.string().describe('SHA-256 of the whole result; a rerun gives the same hash'),
})).meta({ id: 'BacktestResult' })
export type BacktestResult = z.output<typeof BacktestResult>
