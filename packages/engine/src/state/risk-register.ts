import type { Event } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type {
  EmergencyOutcome,
  EmergencyScope,
  Limits,
  TradingState,
  TradingStateReason,
} from '#model/risk.ts'
import { type Instant, instantFromMs, startOfDay } from '#values/instant.ts'
import { type Money, NO_MONEY } from '#values/money.ts'

export interface Breach {
  readonly limit: 'max_daily_loss'
  readonly value: Money
  readonly threshold: Money
  readonly at: Instant
}

/** The last use of the emergency control that closes everything. */
export interface Emergency {
  readonly startedAt: Instant
  readonly venues: readonly EmergencyScope[]
  /** Null while it is active. */
  readonly ended: EmergencyEnd | null
  /** When trading was resumed after it; older snapshots do not have it. */
  readonly resumedAt?: Instant
}

interface EmergencyEnd {
  readonly at: Instant
  readonly outcome: EmergencyOutcome
  /** Older journals do not have it. */
  readonly left?: readonly EmergencyScope[]
}

/** Risk state that survives restarts. */
export interface RiskRegister {
  limits: Limits
  tradingState: TradingState
  tradingStateReason: TradingStateReason | null
  tradingStateSince: Instant
  day: Instant
  equityAtDayStart: Money
  highWater: Money
  /** The deepest drawdown so far, in millionths of the high-water mark. */
  drawdownPpm: number
  /** The latest breaches, oldest first. */
  breaches: readonly Breach[]
  emergency: Emergency | null
}

export function isEmergencyActive({ emergency }: RiskRegister): boolean {
  return emergency !== null && emergency.ended === null
}

/** A drawdown is recorded only when this much deeper, so that a slow fall does not fill the journal. */
export const DRAWDOWN_STEP_PPM = 100

const MAX_BREACHES = 100

/** Returns the register of a desk that is not open: halted, all limits zero. */
export function createRiskRegister(): RiskRegister {
  return {
    limits: { maxOrderSize: NO_MONEY, maxPositionSize: NO_MONEY, maxDailyLoss: NO_MONEY, maxPositions: 0 },
    tradingState: 'HALTED',
    tradingStateReason: null,
    tradingStateSince: instantFromMs(0),
    day: instantFromMs(0),
    equityAtDayStart: NO_MONEY,
    highWater: NO_MONEY,
    drawdownPpm: 0,
    breaches: [],
    emergency: null,
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
      if (event.to === 'ACTIVE' && risk.emergency?.ended)
        risk.emergency = { resumedAt: moment.at, ...risk.emergency }
      return
    case 'EmergencyStarted':
      risk.emergency = { startedAt: moment.at, venues: event.venues, ended: null }
      return
    case 'EmergencyEnded':
      if (risk.emergency) risk.emergency = { ...risk.emergency, ended: endOf(event, moment) }
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

function endOf(event: Extract<Event, { type: 'EmergencyEnded' }>, moment: Moment): EmergencyEnd {
  const { outcome, left } = event
  return { at: moment.at, outcome, ...(left && { left }) }
}

function addBreach(
  risk: RiskRegister,
  event: Extract<Event, { type: 'LimitBreached' }>,
  moment: Moment,
): void {
  const { limit, value, threshold } = event
  risk.breaches = [...risk.breaches, { limit, value, threshold, at: moment.at }].slice(-MAX_BREACHES)
}

/** Returns the drawdown in millionths of the high-water mark. */
export function drawdownOf(highWater: number, equity: number): number {
  return highWater <= 0 ? 0 : Math.max(0, Math.round((1 - equity / highWater) * 1e6))
}
