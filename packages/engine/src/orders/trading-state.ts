import type { TradingState, TradingStateReason } from '#model/risk.ts'
import { computeExposure } from '#risk/exposure.ts'
import { isAvailable } from '#state/components.ts'
import { isEmergencyActive } from '#state/risk-register.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import { type Money, minus, moneyToNumber } from '#values/money.ts'
import { refuse } from '#values/result.ts'
import { cancelOrdersThatAdd } from './cancel.ts'
import { recordEmergencyEnd } from './emergency-scope.ts'

/** Enters REDUCING when the daily loss reaches its limit. A floating-point estimate triggers the check; exact money decides it. */
export function enforceDailyLoss(core: Core): void {
  const { risk } = core.state
  if (!core.valuation.isLossReached() || risk.tradingState !== 'ACTIVE' || isEquityPending(core)) return
  const reached = reachedLoss(core)
  if (reached === null) return
  const { loss, limit } = reached
  emit(core, { type: 'LimitBreached', limit: 'max_daily_loss', value: loss, threshold: limit })
  enterTradingState(core, 'REDUCING', { code: 'daily-loss', ...inNumbers(reached) })
}

/** How long after a start quotes are expected; a venue that stays disconnected sends none. */
const MARKS_EXPECTED_MS = 60_000

/** Returns whether equity will be known in a moment: after a start a position has no quote yet. */
export function isEquityPending(core: Core): boolean {
  if (core.valuation.isMarked()) return false
  const { unmarkedSince } = core.sampled
  return unmarkedSince === null || core.draft.at < unmarkedSince + MARKS_EXPECTED_MS
}

/** Changes the trading state by command. A change that the daily loss check would revert is refused. */
export function changeTradingState(core: Core, to: TradingState, note: string): CommandAnswer {
  const isClosingAll = isEmergencyActive(core.state.risk)
  if (isClosingAll && to === 'ACTIVE') return refuse({ code: 'emergency.active' })
  const isResumed = to === 'ACTIVE' && core.state.risk.tradingState !== 'ACTIVE'
  const reached = isResumed ? reachedLoss(core) : null
  if (reached !== null) return refuse({ code: 'trading.loss-reached', ...inNumbers(reached) })
  // A halt would deny every close, so it ends them.
  if (isClosingAll && to === 'HALTED') recordEmergencyEnd(core, 'halted')
  enterTradingState(core, to, { code: 'asked', note })
  return DONE
}

interface ReachedLoss {
  readonly loss: Money
  readonly limit: Money
}

/** The daily loss, if it has reached its limit and is watched. */
function reachedLoss(core: Core): ReachedLoss | null {
  const { risk, components, features } = core.state
  if (!isAvailable(components, 'dailyLossCheck') || !features['risk-management']) return null
  const loss = minus(risk.equityAtDayStart, computeExposure(core).equity)
  const limit = risk.limits.maxDailyLoss
  return loss < limit ? null : { loss, limit }
}

function inNumbers({ loss, limit }: ReachedLoss) {
  return { loss: moneyToNumber(loss), limit: moneyToNumber(limit) }
}

/** Changes the trading state; leaving ACTIVE cancels the orders that would add exposure. */
export function enterTradingState(core: Core, to: TradingState, reason: TradingStateReason): void {
  const from = core.state.risk.tradingState
  if (from === to) return
  emit(core, { type: 'TradingStateChanged', from, to, reason })
  if (to === 'ACTIVE') return
  const isEmergency = reason.code === 'emergency'
  cancelOrdersThatAdd(
    core,
    isEmergency ? { code: 'cancel.emergency' } : { code: 'cancel.trading-state', state: to },
  )
}
