import { DEFAULT_RISK_LIMITS, type RiskLimits, type StoredRiskLimits } from '@binnacle/contract'
import { formatPrice } from '#format/money.ts'

export type LimitName = keyof RiskLimits

/** The limits as typed: numbers are text until they are saved. */
export type LimitsDraft = Record<LimitName, string>

export const LIMIT_NAMES = [
  'max_order_size',
  'max_position_size',
  'max_daily_loss',
  'max_positions',
] as const satisfies readonly LimitName[]

/** RISK-10, RISK-16: the default replaces every limit that is not stored. */
export function limitsInForce(stored: StoredRiskLimits | undefined): RiskLimits {
  const limitOf = (name: LimitName) => stored?.[name] ?? DEFAULT_RISK_LIMITS[name]
  return {
    max_order_size: limitOf('max_order_size'),
    max_position_size: limitOf('max_position_size'),
    max_daily_loss: limitOf('max_daily_loss'),
    max_positions: limitOf('max_positions'),
  }
}

export function isStored(stored: StoredRiskLimits | undefined, name: LimitName): boolean {
  return typeof stored?.[name] === 'number'
}

export function draftOf(limits: RiskLimits): LimitsDraft {
  return {
    max_order_size: String(limits.max_order_size),
    max_position_size: String(limits.max_position_size),
    max_daily_loss: String(limits.max_daily_loss),
    max_positions: String(limits.max_positions),
  }
}

/** Formats an amount with two decimals, a count as it is. */
export function limitText(name: LimitName): (text: string) => string {
  return name === 'max_positions' ? String : (text) => formatPrice(Number(text))
}

/** RISK-11: three decimals and a whole number, without bounds; the server validates. */
export function limitsFrom(draft: LimitsDraft): RiskLimits {
  return {
    max_order_size: Number.parseFloat(draft.max_order_size),
    max_position_size: Number.parseFloat(draft.max_position_size),
    max_daily_loss: Number.parseFloat(draft.max_daily_loss),
    // A number input accepts 1e3, which parseInt reads as 1.
    max_positions: Math.trunc(Number.parseFloat(draft.max_positions)),
  }
}

/** RISK-85: a limit that grows more than this often is asked for. */
const UNUSUAL_GROWTH = 10

/** The limits that would grow unusually, with how many times the current value they would be. */
export function unusualGrowth(current: RiskLimits, typed: RiskLimits): { name: LimitName; times: number }[] {
  return LIMIT_NAMES.map((name) => ({ name, times: typed[name] / current[name] })).filter(
    ({ name, times }) => current[name] > 0 && times > UNUSUAL_GROWTH,
  )
}
