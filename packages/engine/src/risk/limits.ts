import type { Malformed } from '#orders/reasons.ts'
import type { DecimalText } from '#values/decimal.ts'
import { type Money, type MoneyFault, NO_MONEY, parseMoney } from '#values/money.ts'
import { accept, type Result, refuse } from '#values/result.ts'

/** The four limits that every order adding exposure is checked against. */
export interface Limits {
  /** Value of one order. */
  readonly maxOrderSize: Money
  /** Gross exposure of all positions, working orders counted in. */
  readonly maxPositionSize: Money
  /** Realised plus unrealised loss since 00:00 UTC. */
  readonly maxDailyLoss: Money
  readonly maxPositions: number
}

/** Limits as a person gives them, in quote currency. */
export interface LimitsGiven {
  readonly maxOrderSize: DecimalText
  readonly maxPositionSize: DecimalText
  readonly maxDailyLoss: DecimalText
  readonly maxPositions: number
}

/** RISK-10: what a new desk starts with. */
export const DEFAULT_LIMITS: LimitsGiven = {
  maxOrderSize: 10_000,
  maxPositionSize: 50_000,
  maxDailyLoss: 5_000,
  maxPositions: 10,
}

/** Reads limits: amounts from zero up, a whole number of positions from zero up. */
export function parseLimits(given: LimitsGiven): Result<Limits, Malformed> {
  const amounts: Money[] = []
  for (const limit of ['maxOrderSize', 'maxPositionSize', 'maxDailyLoss'] as const) {
    const amount = parseAmount(limit, given[limit])
    if (!amount.ok) return amount
    amounts.push(amount.value)
  }
  const { maxPositions } = given
  if (!Number.isSafeInteger(maxPositions) || maxPositions < 0) {
    return invalid('maxPositions', maxPositions, `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
  }
  // The loop above pushed exactly three or returned.
  const [maxOrderSize, maxPositionSize, maxDailyLoss] = amounts as [Money, Money, Money]
  return accept({ maxOrderSize, maxPositionSize, maxDailyLoss, maxPositions })
}

/** Reads one amount from zero up, or says which amounts there can be. */
export function parseAmount(limit: string, given: DecimalText): Result<Money, Malformed> {
  const amount = parseMoney(given)
  if (!amount.ok) return invalid(limit, given, MUST_BE[amount.reason])
  return amount.value < NO_MONEY ? invalid(limit, given, 'zero or more') : amount
}

/** As far as money is read. */
const MUST_BE: Readonly<Record<MoneyFault, string>> = {
  'not-a-number': 'a number',
  infinite: 'less than 1e32',
  'too-large': 'less than 1e32',
  'too-fine': 'an amount of at most 8 decimals',
}

function invalid(limit: string, given: DecimalText, must: string): Result<never, Malformed> {
  return refuse({ code: 'limit.invalid', limit, given: String(given), must })
}
