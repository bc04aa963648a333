import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Config, Id, listOf } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { BacktestResult } from './backtest-result.ts'
import { DataSetName } from './data-sets.ts'
import { RiskLimits } from './risk.ts'
import { STRATEGY_TYPES, Strategy } from './strategies.ts'

export const BAR_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

/** Interrupted: the server exited during the run. A rerun gives the same result. */
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
const Fees = strictObject(() => ({ maker_bps: Bps, taker_bps: Bps }))

/** The specification shows no fields: the shapes of backtests are ours. */
export const NewBacktest = strictObject(() => ({
  strategy: z.strictObject({
    type: z.enum(STRATEGY_TYPES),
    config: Config.describe("The strategy's parameters; omitted ones have their defaults"),
  }),
  instrument: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe("The traded instrument; default: the strategy's own parameter"),
  instruments: z
    .array(z.string().min(1).max(40))
    .min(1)
    .max(8)
    .optional()
    .describe('The traded instruments, for a strategy that trades several'),
  interval: z
    .enum(BAR_INTERVALS)
    .optional()
    .describe("Longer bars are built from 1-minute bars; default: the strategy's own parameter, else 1m"),
  data_set: DataSetName.optional().describe('Bars of this data set; default: those of the market'),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }).describe('End of the period, exclusive'),
  initial_cash: z.number().positive().max(1_000_000_000).default(100_000),
  fees: Fees.optional().describe("In basis points of the notional; default: the instrument's own fees"),
  slippage_bps: Bps.default(0).describe(
    'Half the spread around each price, paid by market orders; at least one tick',
  ),
  latency_ms: z
    .number()
    .min(0)
    .max(600_000)
    .default(0)
    .describe('Typical one-way latency to the venue; the reply takes as long'),
  limits: RiskLimits.optional().describe(
    'Default: the capital limits an order, all positions and the daily loss, and ten positions may be open',
  ),
  seed: z
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .default(1)
    .describe('Equal requests with equal seeds give equal results'),
})).meta({ id: 'NewBacktest' })
export type NewBacktest = z.output<typeof NewBacktest>

export const TAGS_MAX = 10

/** What a person adds to a run. The record itself never changes. */
export const BacktestLabels = strictObject(() => ({
  tags: z
    .array(lineUpTo(40).regex(/^[^,]*$/, 'must not contain a comma'))
    .max(TAGS_MAX)
    .refine((tags) => new Set(tags).size === tags.length, 'must not have the same tag twice'),
  note: textUpTo(2_000),
  archived: z.boolean().describe('Listed only on demand; a run that has not ended cannot be'),
})).meta({ id: 'BacktestLabels' })
export type BacktestLabels = z.output<typeof BacktestLabels>

/** A request as a reply repeats it: unknown fields are ignored. */
export const BacktestRequest = object(() => ({
  ...NewBacktest.shape,
  strategy: z.object({ type: z.string(), config: Config }),
  fees: z.object(Fees.shape).optional(),
  limits: z.object(RiskLimits.shape).optional(),
}))

const BacktestState = object(() => ({
  id: Id,
  status: z.string().describe(BACKTEST_STATUSES.join(', ')),
  progress: z.number().min(0).max(1),
  request: BacktestRequest,
  data_fingerprint: z
    .string()
    .nullish()
    .describe(
      'SHA-256 over the bars used, after the name of their data set if they are of one: btc-2024:5f2a…; null until the run starts',
    ),
  engine_version: z.string().nullish(),
  rerun_of: Id.nullish().describe('The backtest whose request this one repeats'),
  created_at: z.string(),
  started_at: z.string().nullish(),
  finished_at: z.string().nullish(),
  error: z.string().nullish().describe('Why it failed'),
  tags: z.array(z.string()).optional(),
  note: z.string().optional(),
  archived: z.boolean().optional(),
}))

export const Backtest = object(() => ({
  ...BacktestState.shape,
  result: BacktestResult.nullish().describe('Present when completed'),
})).meta({ id: 'Backtest' })
export type Backtest = z.output<typeof Backtest>

export const BacktestSummary = object(() => ({
  ...BacktestState.shape,
  result: BacktestResult.pick({ statistics: true, final_equity: true, hash: true })
    .nullish()
    .describe('Without series and trades'),
})).meta({ id: 'BacktestSummary' })
export type BacktestSummary = z.output<typeof BacktestSummary>

/** The run that a strategy was promoted from. */
export const Promotion = object(() => ({
  strategy: Id,
  backtest: Id,
  hash: z.string().describe('Of the result of the run'),
  promoted_at: z.string(),
  results: z.array(z.number()).describe('P&L of the trades of the run, oldest first'),
})).meta({ id: 'Promotion' })
export type Promotion = z.output<typeof Promotion>

/** The recorded minutes of an instrument, of which a backtest uses those within its period. */
export const RecordedPeriod = object(() => ({
  instrument: z.string(),
  from: z.string().describe('The start of the first bar'),
  to: z.string().describe('The end of the last bar'),
  missing_s: z
    .number()
    .optional()
    .describe('Time in between without bars, such as while the server was down'),
})).meta({ id: 'RecordedPeriod' })
export type RecordedPeriod = z.output<typeof RecordedPeriod>

export const backtests = {
  start: tradingEndpoint('POST /api/nautilus/backtest', {
    summary: 'Queue a backtest',
    role: 'trader',
    status: 202,
    acceptsKey: true,
    body: NewBacktest,
    reply: Backtest,
  }),
  get: tradingEndpoint('GET /api/nautilus/backtest/:id', {
    summary: 'A backtest, with its result once completed',
    role: 'viewer',
    params: ById,
    reply: Backtest,
  }),
  list: tradingEndpoint('GET /api/nautilus/backtests', {
    summary: 'Backtests, newest first',
    role: 'viewer',
    origin: 'ours',
    query: strictObject(() => ({
      status: z.enum(BACKTEST_STATUSES).optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      archived: z
        .enum(['true', 'false'])
        .default('false')
        .describe('true: archived ones, in place of the others'),
    })),
    reply: listOf('backtests', BacktestSummary),
  }),
  recorded: tradingEndpoint('GET /api/nautilus/backtests/recorded', {
    summary: 'The recorded period of each instrument that has bars',
    role: 'viewer',
    origin: { capability: 'backtesting' },
    reply: listOf('recorded', RecordedPeriod),
  }),
  label: tradingEndpoint('PUT /api/nautilus/backtest/:id/labels', {
    summary: 'Set the tags and the note of a backtest, and whether it is archived',
    role: 'trader',
    origin: { capability: 'backtesting' },
    params: ById,
    body: BacktestLabels,
    reply: Backtest,
  }),
  promote: tradingEndpoint('POST /api/nautilus/backtest/:id/promote', {
    summary: 'Add a strategy with the parameters of a completed backtest, stopped, and keep the run with it',
    role: 'trader',
    origin: { capability: 'backtesting' },
    status: 201,
    acceptsKey: true,
    params: ById,
    body: strictObject(() => ({ name: lineUpTo(200) })),
    reply: Strategy,
  }),
  promotions: tradingEndpoint('GET /api/nautilus/promotions', {
    summary: 'The runs that strategies were promoted from',
    role: 'viewer',
    origin: { capability: 'backtesting' },
    reply: listOf('promotions', Promotion),
  }),
  cancel: tradingEndpoint('POST /api/nautilus/backtest/:id/cancel', {
    summary: 'Cancel a backtest and discard its partial result',
    role: 'trader',
    origin: 'ours',
    alwaysOn: true,
    params: ById,
    reply: Backtest,
  }),
  rerun: tradingEndpoint('POST /api/nautilus/backtest/:id/rerun', {
    summary: 'Queue the same request again; the same bars give the same hash',
    role: 'trader',
    origin: 'ours',
    status: 202,
    acceptsKey: true,
    params: ById,
    reply: Backtest,
  }),
}
