import type { Event } from '#event.ts'
import type { Moment } from '#journal/entry.ts'
import { type Instant, instant, startOfDay } from '#values/instant.ts'
import { type Money, NO_MONEY } from '#values/money.ts'
import type { Limits } from './limits.ts'
import type { TradingState, TradingStateReason } from './trading-state.ts'

export interface Breach {
  readonly limit: 'max_daily_loss'
  readonly value: Money
  readonly threshold: Money
  readonly at: Instant
}

/** What risk must remember across restarts. */
export interface RiskRegister {
  limits: Limits
  tradingState: TradingState
  tradingStateReason: TradingStateReason | null
  tradingStateSince: Instant
  day: Instant
  equityAtDayStart: Money
  highWater: Money
  /** The deepest fall from the high-water mark so far, in millionths of it. */
  drawdownPpm: number
  /** The latest breaches, oldest first. */
  breaches: readonly Breach[]
}

const BREACHES_KEPT = 100

/** Returns the register of a desk that was never opened: halted, with nothing allowed. */
export function createRiskRegister(): RiskRegister {
  return {
    limits: { maxOrderSize: NO_MONEY, maxPositionSize: NO_MONEY, maxDailyLoss: NO_MONEY, maxPositions: 0 },
    tradingState: 'HALTED',
    tradingStateReason: null,
    tradingStateSince: instant(0),
    day: instant(0),
    equityAtDayStart: NO_MONEY,
    highWater: NO_MONEY,
    drawdownPpm: 0,
    breaches: [],
  }
}

/** Folds the events of risk. */
export function applyToRisk(risk: RiskRegister, event: Event, moment: Moment): void {
  switch (event.type) {
    case 'DeskOpened':
      open(risk, event, moment)
      return
    case 'LimitsChanged':
      risk.limits = event.limits
      return
    case 'LimitBreached':
      addBreach(risk, event, moment)
      return
    case 'TradingStateChanged':
      risk.tradingState = event.to
      risk.tradingStateReason = event.reason
      risk.tradingStateSince = moment.at
      return
    case 'DayStarted':
      risk.day = event.day
      risk.equityAtDayStart = event.equity
      return
    case 'HighWaterRaised':
      risk.highWater = event.equity
      return
    case 'DrawdownDeepened':
      risk.drawdownPpm = event.drawdownPpm
  }
}

function open(risk: RiskRegister, event: Extract<Event, { type: 'DeskOpened' }>, moment: Moment): void {
  risk.limits = event.limits
  risk.tradingState = 'ACTIVE'
  risk.tradingStateSince = moment.at
  risk.day = startOfDay(moment.at)
  risk.equityAtDayStart = event.cash
  risk.highWater = event.cash
}

function addBreach(
  risk: RiskRegister,
  event: Extract<Event, { type: 'LimitBreached' }>,
  moment: Moment,
): void {
  const { limit, value, threshold } = event
  risk.breaches = [...risk.breaches, { limit, value, threshold, at: moment.at }].slice(-BREACHES_KEPT)
}
