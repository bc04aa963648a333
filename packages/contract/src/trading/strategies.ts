import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ById, Config, Done, Id, ifGiven, isRecord, listOf, orDone } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { OrderIntent } from './orders.ts'

export const STRATEGY_TYPES = ['momentum', 'mean_reversion', 'arbitrage', 'market_making', 'custom'] as const

/** Figures that a backend does not record are absent, never zero. */
export const Performance = object(() => ({
  total_pnl: ifGiven(z.number()),
  total_trades: ifGiven(z.number()),
  win_rate: ifGiven(z.number()).describe('A fraction: 0.625 is shown as 62.5 %'),
  net_realized_pnl: ifGiven(z.string()).describe('Exact: realised profit less fees, with funding'),
  unrealized_pnl: ifGiven(z.number()),
  fills: ifGiven(z.number()).describe('Executions; total_trades counts closed positions (round trips)'),
  open_positions: ifGiven(z.number()),
  working_orders: ifGiven(z.number()),
})).meta({ id: 'Performance' })
export type Performance = z.output<typeof Performance>

/** The denials of a running strategy since its last accepted order. */
export const DeniedOrders = object(() => ({
  count: z.number(),
  name: z.string().describe("What denies them, such as 'Max Position Size'"),
  sentence: z.string().describe('The reason of the last denial, with its numbers'),
  next_try_at: z
    .string()
    .nullable()
    .describe('The earliest time of its next order; null when it may order now'),
})).meta({ id: 'DeniedOrders' })
export type DeniedOrders = z.output<typeof DeniedOrders>

export const Strategy = object(() => ({
  id: Id,
  name: z.string(),
  type: z.string(),
  description: z.string().nullish(),
  config: ifGiven(Config),
  status: z.string().describe('stopped offers Start; running and any other status offer Stop'),
  reason: ifGiven(z.string().nullable()).describe('Why it failed or was stopped'),
  note: ifGiven(z.string().nullable()).describe('Additional status, such as the warm-up progress'),
  loss_limit: ifGiven(z.number().nullable()).describe('The loss at which it may only reduce; null for none'),
  orders_denied: ifGiven(DeniedOrders.nullable()).describe('Present while all its orders are denied'),
  performance: z.preprocess(
    (performance: z.input<typeof Performance> | undefined) =>
      isRecord(performance) ? performance : undefined,
    Performance.prefault({}),
  ),
})).meta({ id: 'Strategy' })
export type Strategy = z.output<typeof Strategy>

/** A deleted strategy, whose result stays part of the account's. */
export const DeletedStrategy = object(() => ({
  id: Id,
  name: z.string(),
  type: z.string(),
  deleted_at: z.string(),
  performance: z.object({
    total_pnl: z.number().describe('Realised profit less fees, with funding'),
    total_trades: z.number(),
    win_rate: z.number().nullable().describe('A fraction; null without a trade'),
    fills: z.number(),
  }),
})).meta({ id: 'DeletedStrategy' })
export type DeletedStrategy = z.output<typeof DeletedStrategy>

export const NewStrategy = strictObject(() => ({
  name: lineUpTo(200),
  type: z.enum(STRATEGY_TYPES),
  description: textUpTo(2000),
  config: Config,
})).meta({ id: 'NewStrategy' })
export type NewStrategy = z.output<typeof NewStrategy>

/** New parameters of a strategy; omitted ones take their defaults. */
export const StrategyChange = strictObject(() => ({ config: Config })).meta({ id: 'StrategyChange' })
export type StrategyChange = z.output<typeof StrategyChange>

export const STRATEGY_LOG_KINDS = ['state', 'order', 'denial'] as const

/** One line of what a strategy did and what was done with it. */
export const StrategyLogLine = object(() => ({
  at: z.string(),
  journal_seq: z.number(),
  kind: z
    .enum(STRATEGY_LOG_KINDS)
    .describe(
      'state: it was added, started, changed, stopped, failed; order: it placed an order; denial: risk denied one',
    ),
  event: z.string().describe('added, started, stopped, failed, reconfigured, renamed, order submitted, …'),
  by: z.string().nullable().describe('Who requested it; null for what followed by itself'),
  sentence: ifGiven(z.string()).describe('Why it was stopped or failed, or why its order was denied'),
  changes: ifGiven(
    z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  ).describe('Values that were changed'),
  order: ifGiven(
    z.object({
      id: Id,
      instrument: z.string(),
      side: z.string(),
      type: z.string(),
      quantity: z.number(),
      price: z.number().nullable(),
    }),
  ),
  intent: ifGiven(OrderIntent).describe('What the strategy wanted'),
  signal: ifGiven(z.record(z.string(), z.number())).describe(
    "The strategy's figures at that moment; absent when it states none",
  ),
})).meta({ id: 'StrategyLogLine' })
export type StrategyLogLine = z.output<typeof StrategyLogLine>

export const strategies = {
  list: tradingEndpoint('GET /api/strategies', {
    summary: 'Strategies with their performance',
    role: 'viewer',
    reply: listOf('strategies', Strategy),
  }),
  deleted: tradingEndpoint('GET /api/strategies/deleted', {
    summary: 'Deleted strategies with their results, latest first',
    role: 'viewer',
    origin: { capability: 'strategy-types' },
    reply: listOf('strategies', DeletedStrategy),
  }),
  add: tradingEndpoint('POST /api/strategies', {
    summary: 'Add a strategy, stopped',
    role: 'trader',
    status: 201,
    acceptsKey: true,
    body: NewStrategy,
    reply: orDone(Strategy),
  }),
  start: tradingEndpoint('POST /api/strategies/:id/start', {
    summary: 'Start a strategy',
    role: 'trader',
    params: ById,
    reply: Done,
  }),
  stop: tradingEndpoint('POST /api/strategies/:id/stop', {
    summary: 'Stop a strategy',
    role: 'trader',
    alwaysOn: true,
    mayBeUnconfirmed: true,
    params: ById,
    reply: Done,
  }),
  rename: tradingEndpoint('PUT /api/strategies/:id/name', {
    summary: 'Rename a strategy; a name that another one has is refused',
    role: 'trader',
    origin: { capability: 'strategy-types' },
    params: ById,
    body: strictObject(() => ({ name: lineUpTo(200) })),
    reply: Done,
  }),
  limitLoss: tradingEndpoint('PUT /api/strategies/:id/loss-limit', {
    summary: 'Set the loss at which a strategy may only reduce; null removes the limit',
    role: 'risk',
    origin: { capability: 'strategy-loss-limit' },
    params: ById,
    body: strictObject(() => ({ limit: z.number().nonnegative().nullable() })),
    reply: Done,
  }),
  log: tradingEndpoint('GET /api/strategies/:id/log', {
    summary: 'What a strategy did and what was done with it, from the journal, newest first',
    role: 'viewer',
    origin: { capability: 'strategy-log' },
    params: ById,
    query: strictObject(() => ({
      kind: z.enum(STRATEGY_LOG_KINDS).optional().describe('Only lines of this kind'),
      limit: z.coerce.number<number>().int().min(1).max(200).default(100),
    })),
    reply: object(() => ({
      ...AS_OF,
      lines: z.array(StrategyLogLine),
      is_complete: z.boolean().describe('False when there are older lines'),
    })),
  }),
  update: tradingEndpoint('PUT /api/strategies/:id', {
    summary: 'Change the parameters of a strategy; a running one applies them from its next bar',
    role: 'trader',
    origin: { capability: 'strategy-types' },
    params: ById,
    body: StrategyChange,
    reply: Strategy,
  }),
  remove: tradingEndpoint('DELETE /api/strategies/:id', {
    summary: 'Delete a strategy',
    role: 'trader',
    params: ById,
    reply: Done,
  }),
}

/** The same strategies under the engine's own paths (CALL-12). */
export const nautilusStrategies = {
  list: tradingEndpoint('GET /api/nautilus/strategies', {
    summary: 'The same as /api/strategies',
    role: 'viewer',
    reply: listOf('strategies', Strategy),
  }),
  get: tradingEndpoint('GET /api/nautilus/strategies/:id', {
    summary: 'One strategy',
    role: 'viewer',
    params: ById,
    reply: Strategy,
  }),
  add: tradingEndpoint('POST /api/nautilus/strategies', {
    summary: 'Add a strategy, stopped',
    role: 'trader',
    status: 201,
    acceptsKey: true,
    body: NewStrategy,
    reply: orDone(Strategy),
  }),
}
