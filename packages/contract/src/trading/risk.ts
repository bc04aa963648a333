import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { orDone } from '#shared.ts'

export const RiskMetrics = z
  .object({
    total_exposure: z.number(),
    margin_used: z.number(),
    margin_available: z.number(),
    max_drawdown: z.number().describe('In percent'),
    var_1d: z.number().nullish().describe('One-day 95 % value at risk; null until there is enough history'),
    position_count: z.number(),
  })
  .meta({ id: 'RiskMetrics' })
export type RiskMetrics = z.output<typeof RiskMetrics>

/** What a save sends: all four limits. */
export const RiskLimits = z
  .strictObject({
    max_order_size: z.number().nonnegative().describe('Notional of one order, in quote currency'),
    max_position_size: z
      .number()
      .nonnegative()
      .describe('Gross exposure of all positions, in quote currency'),
    max_daily_loss: z.number().nonnegative().describe('Realised and unrealised since 00:00 UTC'),
    max_positions: z.int().nonnegative().describe('Open positions'),
  })
  .meta({ id: 'RiskLimits' })
export type RiskLimits = z.output<typeof RiskLimits>

/** What a backend has stored, where a limit may be unset (RISK-16). */
export const StoredRiskLimits = z
  .object({
    max_order_size: z.number().nullish(),
    max_position_size: z.number().nullish(),
    max_daily_loss: z.number().nullish(),
    max_positions: z.number().nullish(),
  })
  .meta({ id: 'StoredRiskLimits' })
export type StoredRiskLimits = z.output<typeof StoredRiskLimits>

/** The limits of a new engine, and what the form holds until stored ones are loaded (RISK-10). */
export const DEFAULT_RISK_LIMITS = {
  max_order_size: 10_000,
  max_position_size: 50_000,
  max_daily_loss: 5_000,
  max_positions: 10,
} as const satisfies RiskLimits

export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const

/** ACTIVE trades; REDUCING lets only orders through that reduce; HALTED lets none. */
export const TradingState = z
  .object({
    state: z.enum(TRADING_STATES),
    reason: z.string().nullable().describe('Why it is not ACTIVE, in a sentence'),
    since: z.string().nullable(),
  })
  .meta({ id: 'TradingState' })
export type TradingState = z.output<typeof TradingState>

export const tradingState = {
  get: endpoint('GET /api/trading-state', {
    summary: 'Whether orders are let through, and why not',
    role: 'viewer',
    origin: 'ours',
    alwaysOn: true,
    reply: TradingState,
  }),
  change: endpoint('POST /api/trading-state', {
    summary: 'Halt trading, let only reducing orders through, or resume',
    role: 'risk',
    origin: 'ours',
    alwaysOn: true,
    body: z.strictObject({ state: z.enum(TRADING_STATES), note: z.string().max(500).optional() }),
    reply: TradingState,
  }),
}

export const risk = {
  metrics: endpoint('GET /api/risk/metrics', {
    summary: 'Exposure, margin, drawdown and value at risk',
    role: 'viewer',
    reply: RiskMetrics,
  }),
  limits: endpoint('GET /api/risk/limits', {
    summary: 'The limits every order is checked against',
    role: 'viewer',
    reply: StoredRiskLimits,
  }),
  saveLimits: endpoint('POST /api/risk/limits', {
    summary: 'Replace the limits',
    role: 'risk',
    body: RiskLimits,
    reply: orDone(StoredRiskLimits),
  }),
}
