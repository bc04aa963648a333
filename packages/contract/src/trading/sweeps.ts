import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Id, ifGiven, listOf } from '#shared.ts'
import { BacktestStatistics } from './backtest-result.ts'
import { BACKTEST_STATUSES, BacktestRequest, NewBacktest } from './backtests.ts'

const SWEEPS = { origin: { capability: 'sweeps' } } as const

/** What sets are compared by. Of max_drawdown the smallest is the best, of all others the largest. */
export const SWEEP_MEASURES = [
  'sharpe',
  'total_return',
  'sortino',
  'calmar',
  'profit_factor',
  'max_drawdown',
] as const
export type SweepMeasure = (typeof SWEEP_MEASURES)[number]

export const SWEEP_SETS_MAX = 2_000
export const SWEEP_PARAMETERS_MAX = 6

const List = strictObject(() => ({ values: z.array(z.number()).min(1).max(200) }))
const Range = strictObject(() => ({ from: z.number(), to: z.number(), step: z.number().positive() }))

export const NewSweep = strictObject(() => ({
  base: NewBacktest.describe('The run of which each set changes parameters'),
  parameters: z
    .record(z.string().min(1).max(100), z.union([List, Range]))
    .refine((named) => Object.keys(named).length > 0, 'name at least one parameter')
    .refine(
      (named) => Object.keys(named).length <= SWEEP_PARAMETERS_MAX,
      `name at most ${SWEEP_PARAMETERS_MAX} parameters`,
    )
    .meta({
      description: "By name; 'parameters.bars' is a parameter of a custom module",
      examples: [{ fast_period: { from: 5, to: 20, step: 5 } }],
    }),
  random_sets: z
    .int()
    .min(1)
    .max(SWEEP_SETS_MAX)
    .optional()
    .describe('So many sets drawn by the seed; default: every set of the grid'),
  measure: z.enum(SWEEP_MEASURES).default('sharpe'),
  patience: z
    .int()
    .min(1)
    .max(SWEEP_SETS_MAX)
    .optional()
    .describe('End when so many sets in a row, in their order, have not improved the best value'),
  windows: z
    .int()
    .min(2)
    .max(24)
    .optional()
    .describe('Walk-forward: so many windows, each with a part in and a part out of the sample'),
})).meta({ id: 'NewSweep' })
export type NewSweep = z.output<typeof NewSweep>

const SweepSegment = object(() => ({
  window: z.number(),
  part: z.string().describe('whole, in or out (of the sample)'),
  from: z.string(),
  to: z.string(),
})).meta({ id: 'SweepSegment' })
export type SweepSegment = z.output<typeof SweepSegment>

export const SweepResult = object(() => ({
  set: z.number(),
  segment: z.number(),
  statistics: BacktestStatistics.nullable(),
  orders: ifGiven(z.number()).describe('Missing in a set that was run by an older version'),
  denied_orders: ifGiven(z.number()).describe('Of the orders, those that the risk checks denied'),
  hash: z.string().nullable(),
  error: z.string().nullable().describe('Why this set has no result'),
})).meta({ id: 'SweepResult' })
export type SweepResult = z.output<typeof SweepResult>

const BestSet = object(() => ({ set: z.number(), value: z.number() })).meta({ id: 'BestSet' })

/** The set that was best in the sample of a window, and what it did after it. */
export const WalkForwardWindow = object(() => ({
  window: z.number(),
  set: z.number().nullable(),
  in_sample: z.number().nullable().describe('Its value of the measure'),
  out_of_sample: z.number().nullable(),
})).meta({ id: 'WalkForwardWindow' })
export type WalkForwardWindow = z.output<typeof WalkForwardWindow>

const SweepState = object(() => ({
  id: Id,
  status: z.string().describe(BACKTEST_STATUSES.join(', ')),
  request: z.object({
    ...NewSweep.shape,
    base: BacktestRequest,
    parameters: z.record(z.string(), z.union([z.object(List.shape), z.object(Range.shape)])),
  }),
  total: z.number().describe('Runs: one for each set and segment'),
  done: z.number(),
  stopped_early: z.boolean().describe('The patience was used up'),
  created_at: z.string(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
  error: z.string().nullish(),
  best: BestSet.nullish(),
}))

export const SweepSummary = SweepState.meta({ id: 'SweepSummary' })
export type SweepSummary = z.output<typeof SweepSummary>

export const Sweep = object(() => ({
  ...SweepState.shape,
  names: z.array(z.string()).describe('Of the parameters'),
  sets: z.array(z.array(z.number())).describe('Values in the order of the names'),
  segments: z.array(SweepSegment),
  results: z.array(SweepResult),
  deflated_sharpe: object(() => ({
    trials: z.number(),
    expected_best: z.number().describe('Sharpe ratio per year to expect of the best without skill'),
    probability: z.number().nullable().describe('That the best set is above it'),
  }))
    .nullable()
    .describe('Null until two sets have a Sharpe ratio, and in a walk-forward sweep'),
  walk_forward: z.array(WalkForwardWindow).describe('Empty without windows'),
})).meta({ id: 'Sweep' })
export type Sweep = z.output<typeof Sweep>

export const LookAhead = object(() => ({
  status: z.string().describe('passed, failed or nothing: the run placed no orders'),
  cuts: z.number().describe('How often the history was cut'),
  orders: z.number(),
  at: z.string().nullable().describe('The last bar before the cut after which orders were others'),
  with_later_bars: z.string().nullable().describe('The order that was placed with the whole history'),
  without: z.string().nullable().describe('The order in its place without the later bars'),
})).meta({ id: 'LookAhead' })
export type LookAhead = z.output<typeof LookAhead>

export const sweeps = {
  start: tradingEndpoint('POST /api/nautilus/sweeps', {
    summary: 'Queue a backtest for each of many sets of parameters',
    role: 'trader',
    ...SWEEPS,
    status: 202,
    acceptsKey: true,
    body: NewSweep,
    reply: SweepSummary,
  }),
  list: tradingEndpoint('GET /api/nautilus/sweeps', {
    summary: 'Sweeps, newest first',
    role: 'viewer',
    ...SWEEPS,
    reply: listOf('sweeps', SweepSummary),
  }),
  get: tradingEndpoint('GET /api/nautilus/sweeps/:id', {
    summary: 'A sweep with the results of its sets so far',
    role: 'viewer',
    ...SWEEPS,
    params: ById,
    reply: Sweep,
  }),
  cancel: tradingEndpoint('POST /api/nautilus/sweeps/:id/cancel', {
    summary: 'Cancel a sweep; the results so far stay',
    role: 'trader',
    ...SWEEPS,
    alwaysOn: true,
    params: ById,
    reply: SweepSummary,
  }),
  lookAhead: tradingEndpoint('POST /api/nautilus/backtest/:id/look-ahead', {
    summary: 'Run a backtest again over the beginning of its history: its orders must not change',
    role: 'trader',
    ...SWEEPS,
    params: ById,
    reply: LookAhead,
  }),
}
