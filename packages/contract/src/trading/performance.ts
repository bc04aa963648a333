import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ifGiven, listOf } from '#shared.ts'
import { NextCursor, RecordPage } from './fills.ts'
import { InstrumentName } from './instruments.ts'
import { ClosedPosition } from './positions.ts'

const PERFORMANCE = { origin: { capability: 'performance' } } as const

/** Today, seven days, a month, three months and the year, each from 00:00 UTC; or everything recorded. */
export const PERFORMANCE_PERIODS = ['1D', '1W', '1M', '3M', 'YTD', 'All'] as const
export type PerformancePeriod = (typeof PERFORMANCE_PERIODS)[number]

/** The days of a rolling figure. */
export const ROLLING_DAYS = 30
/** The daily returns that a value at risk needs, and the days that a correlation needs. */
export const LOSS_DAYS_MIN = 30
export const CORRELATION_DAYS_MIN = 10

const Statistic = z.number().nullable()

/** Defined as those of a backtest; null where a figure is not defined for the period. */
export const PerformanceFigures = object(() => ({
  total_return: Statistic.describe('A fraction of the equity at the start'),
  cagr: Statistic.describe('Growth per year, a fraction; null for less than a day'),
  volatility: Statistic.describe('Of daily returns, per year, a fraction; null with fewer than two days'),
  sharpe: Statistic,
  sortino: Statistic,
  calmar: Statistic,
  max_drawdown: z.number().describe('A fraction of the peak'),
  max_drawdown_seconds: z.number().describe('From the peak until it was reached again, or until the end'),
  days: z.number().describe('UTC days with a return'),
  trades: z.number().describe('Closed positions'),
  win_rate: Statistic.describe('A fraction of the trades'),
  payoff: Statistic.describe('The average gain over the average loss'),
  profit_factor: Statistic,
  expectancy: Statistic.describe('Per trade, in quote currency'),
})).meta({ id: 'PerformanceFigures' })
export type PerformanceFigures = z.output<typeof PerformanceFigures>

const CurvePoint = z
  .tuple([z.number(), z.number(), z.number()])
  .describe('Time in seconds since 1970, equity, drawdown as a fraction of the peak')
const ValuePoint = z
  .tuple([z.number(), z.number()])
  .describe('Time in seconds since 1970, value in quote currency')

const CalendarReturn = object(() => ({
  start: z.string().describe('Its first day, in UTC'),
  pnl: z.number().describe('After fees and funding'),
  return: Statistic.describe('A fraction of the equity before it'),
  after_gap: z.boolean().describe('Days before it have no record; their change is part of this one'),
})).meta({ id: 'CalendarReturn' })
export type CalendarReturn = z.output<typeof CalendarReturn>

const StrategyPerformance = object(() => ({
  strategy: z.string().describe('MANUAL for manual orders'),
  name: ifGiven(z.string()).describe('Absent for manual orders'),
  pnl: z.number().describe('Realised and unrealised, after fees and funding'),
  sharpe: Statistic.describe('Of its daily results as fractions of the equity of the account'),
  trades: z.number(),
  win_rate: Statistic,
  points: z.array(ValuePoint).describe('Its result since the start of the period'),
})).meta({ id: 'StrategyPerformance' })
export type StrategyPerformance = z.output<typeof StrategyPerformance>

const InstrumentPerformance = object(() => ({
  instrument: z.string(),
  pnl: z.number().describe('Realised in the period, after fees and funding'),
  trades: z.number(),
  fees: z.number(),
  funding: z.number(),
})).meta({ id: 'InstrumentPerformance' })
export type InstrumentPerformance = z.output<typeof InstrumentPerformance>

const PerformanceCosts = object(() => ({
  gross: z.number().describe('The net result before fees, slippage and funding'),
  fees: z.number(),
  slippage: z
    .number()
    .describe('Fills against the mid price at which their order was decided; negative when they were better'),
  measured_fills: z.number().describe('Fills whose order has that price in the journal'),
  fills: z.number(),
  funding: z.number().describe('Received when positive'),
  net: z.number(),
})).meta({ id: 'PerformanceCosts' })
export type PerformanceCosts = z.output<typeof PerformanceCosts>

const RunComparison = object(() => ({
  backtest: z.number(),
  from: z.string().describe('The time that the run and the record have in common'),
  to: z.string(),
  live: PerformanceFigures,
  run: PerformanceFigures,
  points: z.array(ValuePoint).describe('The run, from the equity of the account at that start'),
})).meta({ id: 'RunComparison' })
export type RunComparison = z.output<typeof RunComparison>

export const PerformanceReport = object(() => ({
  period: z.enum(PERFORMANCE_PERIODS),
  from: z.string().describe('The start of the period, or of the record if that is later'),
  to: z.string(),
  as_of: z.string(),
  step_s: z.number().describe('The length of an interval of the curve'),
  start_equity: z.number(),
  end_equity: z.number(),
  pnl: z.number().describe('Realised and unrealised, after fees and funding'),
  figures: PerformanceFigures,
  curve: z.array(CurvePoint).describe('Oldest first, at most 2,200 for a year'),
  gaps: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('Intervals of the curve without a record'),
  returns: z.object({
    day: z.array(CalendarReturn),
    week: z.array(CalendarReturn).describe('From Monday'),
    month: z.array(CalendarReturn),
  }),
  rolling: z
    .array(z.object({ day: z.string(), sharpe: Statistic, win_rate: Statistic }))
    .describe(`Over the ${ROLLING_DAYS} days up to each day`),
  strategies: z.array(StrategyPerformance).describe('Best first'),
  instruments: z.array(InstrumentPerformance).describe('Best first'),
  costs: PerformanceCosts,
  hold: z
    .object({ instrument: z.string(), total_return: z.number(), points: z.array(ValuePoint) })
    .nullable()
    .describe('The same equity in one instrument; null without one, or without bars of it'),
  run: RunComparison.nullable().describe('Null without a run, or without a time in common'),
})).meta({ id: 'PerformanceReport' })
export type PerformanceReport = z.output<typeof PerformanceReport>

const LossEstimate = object(() => ({
  method: z.string().describe('historical, parametric or monte_carlo'),
  value_at_risk: Statistic.describe('In quote currency; null with too few days'),
  expected_shortfall: Statistic,
  days: z.number().describe('Days that were estimated from the days before them'),
  beyond: z.number().describe('Those that lost more than the estimate'),
  kupiec_ratio: Statistic.describe('The likelihood ratio of one day in twenty'),
  plausible: z.boolean().nullable().describe('Whether the ratio is below 3.84, at 95 % confidence'),
})).meta({ id: 'LossEstimate' })
export type LossEstimate = z.output<typeof LossEstimate>

export const PerformanceRisk = object(() => ({
  days: z.number().describe('Daily returns of the last year'),
  seed: z.number().describe('Of the Monte Carlo method'),
  losses: z.array(LossEstimate),
  correlation: z.object({
    strategies: z.array(z.object({ strategy: z.string(), name: ifGiven(z.string()) })),
    days: z.number(),
    rows: z.array(z.array(Statistic)).describe('Of the daily results; null where it is not defined'),
  }),
  scenarios: z
    .array(z.object({ name: z.string(), pnl: Statistic }))
    .describe('The open positions under each; null when one has no quote'),
  open_positions: z.number(),
})).meta({ id: 'PerformanceRisk' })
export type PerformanceRisk = z.output<typeof PerformanceRisk>

const Scope = strictObject(() => ({
  period: z.enum(PERFORMANCE_PERIODS).default('3M'),
  strategy: z.string().min(1).max(40).optional().describe('Only this strategy; all without'),
}))

export const performance = {
  report: tradingEndpoint('GET /api/performance', {
    ...PERFORMANCE,
    summary: 'Equity, returns, statistics and costs of a period',
    role: 'viewer',
    query: strictObject(() => ({
      ...Scope.shape,
      hold: InstrumentName.optional().describe('Compares with holding this instrument'),
      backtest: z.coerce
        .number<number>()
        .int()
        .min(1)
        .optional()
        .describe('Compares with this completed run over the time that both have'),
    })),
    reply: PerformanceReport,
  }),
  trades: tradingEndpoint('GET /api/performance/trades', {
    ...PERFORMANCE,
    summary: 'Closed positions of a period, latest first',
    role: 'viewer',
    query: strictObject(() => ({
      ...RecordPage.shape,
      ...Scope.shape,
      instrument: InstrumentName.optional(),
    })),
    reply: listOf('trades', ClosedPosition, { ...AS_OF, next_cursor: NextCursor }),
  }),
  risk: tradingEndpoint('GET /api/performance/risk', {
    ...PERFORMANCE,
    summary: 'Value at risk by three methods, correlation of strategies, stress scenarios',
    role: 'viewer',
    query: Scope.pick({ period: true }),
    reply: PerformanceRisk,
  }),
}
