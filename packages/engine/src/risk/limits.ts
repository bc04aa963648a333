import type { AmountName, MalformedInput } from '#model/reasons.ts'
import type { Limits, RawLimits } from '#model/risk.ts'
import type { DecimalText } from '#values/decimal.ts'
import { type Money, type MoneyFault, NO_MONEY, parseMoney } from '#values/money.ts'
import { ok, type Result, refuse } from '#values/result.ts'

/** Parses limits: amounts of zero or more and a whole number of positions. */
export function parseLimits(given: RawLimits): Result<Limits, MalformedInput> {
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
  return ok({ maxOrderSize, maxPositionSize, maxDailyLoss, maxPositions })
}

export function areSameLimits(one: Limits, other: Limits): boolean {
  return (
    one.maxOrderSize === other.maxOrderSize &&
    one.maxPositionSize === other.maxPositionSize &&
    one.maxDailyLoss === other.maxDailyLoss &&
    one.maxPositions === other.maxPositions
  )
}

/** Parses an amount of zero or more, or returns what it must be. */
export function parseAmount(limit: AmountName, given: DecimalText): Result<Money, MalformedInput> {
  const amount = parseMoney(given)
  if (!amount.ok) return invalid(limit, given, MUST_BE[amount.reason])
  return amount.value < NO_MONEY ? invalid(limit, given, 'zero or more') : amount
}

const MUST_BE: Readonly<Record<MoneyFault, string>> = {
  'not-a-number': 'a number',
  infinite: 'less than 1e32',
  'too-large': 'less than 1e32',
  'too-fine': 'an amount of at most 8 decimals',
}

function invalid(limit: AmountName, given: DecimalText, requirement: string): Result<never, MalformedInput> {
  return refuse({ code: 'limit.invalid', limit, given: String(given), requirement })
}
