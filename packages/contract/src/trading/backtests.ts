import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Config, Id } from '#shared.ts'
import { STRATEGY_TYPES } from './strategies.ts'

export const BAR_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

/** The specification shows no fields: the shapes of backtests are ours. */
export const NewBacktest = z
  .strictObject({
    strategy: z.strictObject({ type: z.enum(STRATEGY_TYPES), config: Config }),
    instrument: z.string().min(1),
    interval: z.enum(BAR_INTERVALS).default('1m'),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    initial_cash: z.number().positive().default(100_000),
    seed: z.int().nonnegative().default(1).describe('Equal requests with equal seeds give equal results'),
  })
  .meta({ id: 'NewBacktest' })
export type NewBacktest = z.output<typeof NewBacktest>

export const BacktestTrade = z
  .object({
    at: z.string(),
    side: z.string(),
    quantity: z.number(),
    price: z.number(),
    fee: z.number(),
    realized_pnl: z.number(),
  })
  .meta({ id: 'BacktestTrade' })
export type BacktestTrade = z.output<typeof BacktestTrade>

export const BacktestResult = z
  .object({
    total_pnl: z.number(),
    total_trades: z.number(),
    win_rate: z.number().describe('A fraction'),
    max_drawdown: z.number().describe('In percent'),
    sharpe_ratio: z.number().nullish().describe('Null when there are too few returns to tell'),
    equity_curve: z.array(z.object({ at: z.string(), equity: z.number() })),
    trades: z.array(BacktestTrade),
    hash: z.string().describe('Of the whole result: running the record again gives the same'),
  })
  .meta({ id: 'BacktestResult' })
export type BacktestResult = z.output<typeof BacktestResult>

export const Backtest = z
  .object({
    id: Id,
    status: z.string().describe('queued, running, completed, failed or cancelled'),
    progress: z.number().min(0).max(1),
    request: z.object({ ...NewBacktest.shape, strategy: z.object({ type: z.string(), config: Config }) }),
    data_fingerprint: z.string().nullish().describe('Of the market data used, known once it runs'),
    created_at: z.string(),
    finished_at: z.string().nullish(),
    error: z.string().nullish(),
    result: BacktestResult.nullish().describe('Present when completed'),
  })
  .meta({ id: 'Backtest' })
export type Backtest = z.output<typeof Backtest>

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
}
