import { ratiosOf } from '#backtest/statistics.ts'
import { MS_PER_DAY } from '#values/instant.ts'
import { type Money, minus, moneyToNumber, nearestMoney } from '#values/money.ts'

/** Equity at the end of a UTC day. */
export interface DayClose {
  /** The start of the day, in milliseconds. */
  readonly day: number
  readonly equity: number
}

export const CALENDAR_UNITS = ['day', 'week', 'month'] as const
export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

/** The change of equity from the last close before a day, week or month to the last close in it. */
export interface CalendarReturn {
  /** The start of the day, of the Monday or of the first of the month, in milliseconds. */
  readonly start: number
  readonly pnl: Money
  /** A fraction; null when there was no equity. */
  readonly change: number | null
  /** True when days before it have no close, so that their change is part of this one. */
  readonly isAfterGap: boolean
}

/** Returns by day, week (from Monday) or month, in UTC. `before` is the equity that the first one begins with. */
export function returnsBy(
  unit: CalendarUnit,
  closes: readonly DayClose[],
  before: number,
): readonly CalendarReturn[] {
  const units = new Map<number, { last: DayClose; isAfterGap: boolean }>()
  let previous: number | undefined
  for (const close of closes) {
    const start = startOf(unit, close.day)
    const isGap = previous !== undefined && close.day - previous > MS_PER_DAY
    units.set(start, { last: close, isAfterGap: isGap || (units.get(start)?.isAfterGap ?? false) })
    previous = close.day
  }
  let began = before
  return [...units].map(([start, { last, isAfterGap }]) => {
    const pnl = minus(nearestMoney(last.equity), nearestMoney(began))
    const change = began > 0 ? last.equity / began - 1 : null
    began = last.equity
    return { start, pnl, change, isAfterGap }
  })
}

function startOf(unit: CalendarUnit, day: number): number {
  const date = new Date(day)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return unit === 'week' ? day - ((date.getUTCDay() + 6) % 7) * MS_PER_DAY : day
}

/** Sharpe of the latest `window` daily returns at each of them; null until there are so many. */
export function rollingSharpe(
  returns: readonly CalendarReturn[],
  window: number,
): readonly (number | null)[] {
  return returns.map((_, index) => {
    const changes = returns.slice(Math.max(0, index + 1 - window), index + 1).map(({ change }) => change)
    return changes.length < window ? null : sharpeOf(changes.map((change) => change ?? 0))
  })
}

/** Sharpe of daily returns, per year. */
export function sharpeOf(changes: readonly number[]): number | null {
  const tally = { days: changes.length, sum: 0, squares: 0, losses: 0 }
  for (const change of changes) {
    tally.sum += change
    tally.squares += change * change
  }
  return ratiosOf(tally).sharpe
}

/** The changes as doubles of the quote currency. */
export function amountsOf(returns: readonly CalendarReturn[]): number[] {
  return returns.map(({ pnl }) => moneyToNumber(pnl))
}
