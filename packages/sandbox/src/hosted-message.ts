import { type BacktestReport, CURVE_POINTS, type InstrumentId, idFrom, MAX_TRADES } from '@binnacle/engine'
import * as z from 'zod'
import type { HostedMessage } from '#hosted/protocol.ts'
import { FailureShape, parseLine } from './reply.ts'

const Count = z.int().min(0)
const Figure = z.number().nullable()
const Points = z
  .array(z.number())
  .max(CURVE_POINTS)
  .transform((values) => Float64Array.from(values))

/** More days than a backtest can have bars of. */
const MAX_DAYS = 5_000_000

const Trade = z.strictObject({
  instrument: z
    .string()
    .max(64)
    .transform(idFrom<InstrumentId>),
  side: z.enum(['LONG', 'SHORT']),
  openedAt: z.number(),
  closedAt: z.number(),
  lots: z.number(),
  entryPrice: z.number(),
  exitPrice: z.number(),
  fees: z.number(),
  funding: z.number(),
  pnl: z.number(),
})

const Report: z.ZodType<BacktestReport> = z.strictObject({
  statistics: z.strictObject({
    totalReturn: z.number(),
    cagr: Figure,
    volatility: Figure,
    sharpe: Figure,
    sortino: Figure,
    calmar: Figure,
    maxDrawdown: z.number(),
    maxDrawdownMs: z.number(),
    trades: Count,
    winRate: Figure,
    profitFactor: Figure,
    expectancy: Figure,
    exposureTime: z.number(),
    turnover: z.number(),
    fees: z.number(),
    funding: z.number(),
  }),
  curve: z.strictObject({ length: Count, at: Points, equity: Points, drawdown: Points }),
  trades: z.array(Trade).max(MAX_TRADES),
  finalEquity: z.number(),
  dailyReturns: z.array(z.number()).max(MAX_DAYS),
  bars: Count,
  orders: Count,
  deniedOrders: Count,
  openPositions: Count,
  tradingState: z.string().max(64),
  events: Count,
  digest: z.string().max(64),
})

const Reason = z.string().max(1_000)

const Message = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('loaded') }),
  z.strictObject({ kind: z.literal('progress'), done: Count }),
  z.strictObject({ kind: z.literal('completed'), report: Report }),
  z.strictObject({ kind: z.literal('failed'), failure: FailureShape }),
  z.strictObject({ kind: z.literal('ended'), reason: Reason }),
  z.strictObject({ kind: z.literal('fault'), reason: Reason }),
])

/** Parses a line of a hosted backtest, which is untrusted: a message, or what is wrong with it. */
export function parseHostedMessage(
  line: string,
): { message: HostedMessage<BacktestReport> } | { wrong: string } {
  const parsed = parseLine(Message, line)
  return 'wrong' in parsed ? parsed : { message: parsed.value }
}
