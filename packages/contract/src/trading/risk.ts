import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ifGiven, orDone } from '#shared.ts'

/** The money of the whole account, in quote currency. */
export const Account = object(() => ({
  currency: ifGiven(z.string()).describe('Of all amounts; absent where instruments differ in it'),
  left_out: ifGiven(z.array(z.string())).describe(
    "Balances of other currencies without a known rate, such as '0.5 BTC': they are in no amount",
  ),
  equity: z.number().describe('Cash and open positions at the current marks'),
  cash: z.number(),
  starting_capital: z.number(),
  day_pnl: z.number().describe('Change of equity since 00:00 UTC, net of fees and funding'),
  realized_pnl: z.number().describe('Before fees and funding'),
  unrealized_pnl: z.number(),
  fees: z.number().describe('Paid since the start'),
  funding: z.number().describe('Received since the start; negative when paid'),
})).meta({ id: 'Account' })
export type Account = z.output<typeof Account>

export const RiskMetrics = object(() => ({
  total_exposure: z.number(),
  margin_used: z.number(),
  margin_available: z.number(),
  max_drawdown: z.number().describe('In percent'),
  var_1d: z.number().nullish().describe('One-day 95 % value at risk; null until there is enough history'),
  position_count: z.number(),
  account: ifGiven(Account),
  ...AS_OF,
})).meta({ id: 'RiskMetrics' })
export type RiskMetrics = z.output<typeof RiskMetrics>

/** A save sends all four limits. */
export const RiskLimits = strictObject(() => ({
  max_order_size: z.number().nonnegative().describe('Notional of one order, in quote currency'),
  max_position_size: z.number().nonnegative().describe('Gross exposure of all positions, in quote currency'),
  max_daily_loss: z.number().nonnegative().describe('Realised and unrealised since 00:00 UTC'),
  max_positions: z.int().nonnegative().describe('Open positions'),
})).meta({ id: 'RiskLimits' })
export type RiskLimits = z.output<typeof RiskLimits>

/** The stored limits; each may be unset (RISK-16). */
export const StoredRiskLimits = object(() => ({
  max_order_size: z.number().nullish(),
  max_position_size: z.number().nullish(),
  max_daily_loss: z.number().nullish(),
  max_positions: z.number().nullish(),
})).meta({ id: 'StoredRiskLimits' })
export type StoredRiskLimits = z.output<typeof StoredRiskLimits>

/** The limits of a new engine, and of the form until the stored ones are loaded (RISK-10). */
export const DEFAULT_RISK_LIMITS = {
  max_order_size: 10_000,
  max_position_size: 50_000,
  max_daily_loss: 5_000,
  max_positions: 10,
} as const satisfies RiskLimits

export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const

/** REDUCING accepts only orders that reduce a position; HALTED accepts none. */
export const TradingState = object(() => ({
  state: z.enum(TRADING_STATES),
  reason: z.string().nullable().describe('Why it is not ACTIVE, in a sentence'),
  since: z.string().nullable(),
})).meta({ id: 'TradingState' })
export type TradingState = z.output<typeof TradingState>

export const tradingState = {
  get: tradingEndpoint('GET /api/trading-state', {
    summary: 'The trading state and its reason',
    role: 'viewer',
    origin: 'ours',
    alwaysOn: true,
    reply: TradingState,
  }),
  change: tradingEndpoint('POST /api/trading-state', {
    summary: 'Halt trading, switch to reduce-only, or resume',
    role: 'risk',
    origin: 'ours',
    alwaysOn: true,
    body: strictObject(() => ({ state: z.enum(TRADING_STATES), note: z.string().max(500).optional() })),
    reply: TradingState,
  }),
}

export const account = {
  get: tradingEndpoint('GET /api/account', {
    summary: "Equity, cash, starting capital, today's P&L, fees and funding of the account",
    role: 'viewer',
    origin: 'ours',
    reply: object(() => ({ ...Account.shape, ...AS_OF })),
  }),
}

export const risk = {
  metrics: tradingEndpoint('GET /api/risk/metrics', {
    summary: 'Exposure, margin, drawdown and value at risk',
    role: 'viewer',
    reply: RiskMetrics,
  }),
  limits: tradingEndpoint('GET /api/risk/limits', {
    summary: 'The limits every order is checked against',
    role: 'viewer',
    isVersioned: true,
    reply: StoredRiskLimits,
  }),
  saveLimits: tradingEndpoint('POST /api/risk/limits', {
    summary: 'Replace the limits',
    role: 'risk',
    isVersioned: true,
    body: RiskLimits,
    reply: orDone(StoredRiskLimits),
  }),
}
