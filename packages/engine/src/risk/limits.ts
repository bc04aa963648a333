import type { Malformed } from '#orders/reasons.ts'
import type { DecimalText } from '#values/decimal.ts'
import { type Money, NO_MONEY, parseMoney } from '#values/money.ts'
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
    const amount = parseMoney(given[limit])
    if (!amount.ok || amount.value < NO_MONEY) return invalid(limit, given[limit])
    amounts.push(amount.value)
  }
  const { maxPositions } = given
  if (!Number.isSafeInteger(maxPositions) || maxPositions < 0) return invalid('maxPositions', maxPositions)
  // The loop above pushed exactly three or returned.
  const [maxOrderSize, maxPositionSize, maxDailyLoss] = amounts as [Money, Money, Money]
  return accept({ maxOrderSize, maxPositionSize, maxDailyLoss, maxPositions })
}

function invalid(limit: string, given: DecimalText): Result<never, Malformed> {
  return refuse({ code: 'limit.invalid', limit, given: String(given) })
}
