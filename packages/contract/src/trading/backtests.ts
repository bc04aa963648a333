import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Config, Id, listOf } from '#shared.ts'
import { BacktestResult } from './backtest-result.ts'
import { RiskLimits } from './risk.ts'
import { STRATEGY_TYPES } from './strategies.ts'

export const BAR_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

/** Interrupted means that the server ended before the run did; it can be run again and then gives the same. */
export const BACKTEST_STATUSES = [
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
] as const
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number]

const Bps = z.number().min(0).max(1_000)
const Fees = z.strictObject({ maker_bps: Bps, taker_bps: Bps })

/** The specification shows no fields: the shapes of backtests are ours. */
export const NewBacktest = z
  .strictObject({
    strategy: z.strictObject({
      type: z.enum(STRATEGY_TYPES),
      config: Config.describe("The strategy's parameters; what is left out has its default"),
    }),
    instrument: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe("What is traded; the strategy's own parameter when left out"),
    instruments: z
      .array(z.string().min(1).max(40))
      .min(1)
      .max(8)
      .optional()
      .describe('The same for a strategy that trades several'),
    interval: z
      .enum(BAR_INTERVALS)
      .optional()
      .describe(
        "Longer bars are made of 1-minute bars; when left out, the strategy's own parameter, else 1-minute bars",
      ),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }).describe('The first instant that is no longer part of the period'),
    initial_cash: z.number().positive().max(1_000_000_000).default(100_000),
    fees: Fees.optional().describe(
      "In hundredths of a percent of the value; the instrument's own when left out",
    ),
    slippage_bps: Bps.default(0).describe(
      'Half the spread around each price, which is what a market order pays; at least one tick',
    ),
    latency_ms: z
      .number()
      .min(0)
      .max(600_000)
      .default(0)
      .describe('What a message typically takes to the venue, and as much back'),
    limits: RiskLimits.optional().describe(
      'When left out, the capital is the limit of an order, of all positions and of a day’s loss, and ten positions may be open',
    ),
    seed: z
      .int()
      .nonnegative()
      .max(2 ** 31 - 1)
      .default(1)
      .describe('Equal requests with equal seeds give equal results'),
  })
  .meta({ id: 'NewBacktest' })
export type NewBacktest = z.output<typeof NewBacktest>

const BacktestState = z.object({
  id: Id,
  status: z.string().describe(BACKTEST_STATUSES.join(', ')),
  progress: z.number().min(0).max(1),
  request: z.object({
    ...NewBacktest.shape,
    strategy: z.object({ type: z.string(), config: Config }),
    fees: z.object(Fees.shape).optional(),
    limits: z.object(RiskLimits.shape).optional(),
  }),
  data_fingerprint: z.string().nullish().describe('SHA-256 over the bars used, known once it runs'),
  engine_version: z.string().nullish(),
  rerun_of: Id.nullish().describe('The backtest whose request this one repeats'),
  created_at: z.string(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
  error: z.string().nullish().describe('Why it did not complete'),
})

export const Backtest = BacktestState.extend({
  result: BacktestResult.nullish().describe('Present when completed'),
}).meta({ id: 'Backtest' })
export type Backtest = z.output<typeof Backtest>

export const BacktestSummary = BacktestState.extend({
  result: BacktestResult.pick({ statistics: true, final_equity: true, hash: true })
    .nullish()
    .describe('Without series and trades'),
}).meta({ id: 'BacktestSummary' })
export type BacktestSummary = z.output<typeof BacktestSummary>

export const backtests = {
  start: endpoint('POST /api/nautilus/backtest', {
    summary: 'Queue a backtest',
    role: 'trader',
    status: 202,
    body: NewBacktest,
    reply: Backtest,
  }),
  get: endpoint('GET /api/nautilus/backtest/:id', {
    summary: 'A backtest, with its result once completed',
    role: 'viewer',
    params: ById,
    reply: Backtest,
  }),
  list: endpoint('GET /api/nautilus/backtests', {
    summary: 'Backtests, newest first',
    role: 'viewer',
    origin: 'ours',
    query: z.strictObject({
      status: z.enum(BACKTEST_STATUSES).optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
    }),
    reply: listOf('backtests', BacktestSummary),
  }),
  cancel: endpoint('POST /api/nautilus/backtest/:id/cancel', {
    summary: 'Stop a backtest; what it had is thrown away',
    role: 'trader',
    origin: 'ours',
    alwaysOn: true,
    params: ById,
    reply: Backtest,
  }),
  rerun: endpoint('POST /api/nautilus/backtest/:id/rerun', {
    summary: 'Queue the same request again; over the same bars it gives the same hash',
    role: 'trader',
    origin: 'ours',
    status: 202,
    params: ById,
    reply: Backtest,
  }),
}
