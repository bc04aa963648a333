import { positionKey } from '#model/position.ts'
import type { EmergencyOutcome } from '#model/risk.ts'
import { cancelWhere } from '#orders/cancel.ts'
import { closingTerms, isClosingOrder, submitClose } from '#orders/close-position.ts'
import { countEmergencyScope, recordEmergencyEnd } from '#orders/emergency-scope.ts'
import { enterTradingState } from '#orders/trading-state.ts'
import { findCloseDenial } from '#risk/gate.ts'
import { isEmergencyActive } from '#state/risk-register.ts'
import { emit } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import type { StrategyCore } from '#strategies/runtime/running-strategies.ts'
import type { Instant } from '#values/instant.ts'
import { stopStrategy } from './strategies.ts'

/** What could not be closed is tried again this often. */
const RETRY_MS = 2000

const CANCELLED = { code: 'cancel.emergency' } as const

/**
 * Switches to reduce-only, stops all strategies, cancels all orders and closes all positions; trading is HALTED when
 * nothing is left. What cannot be closed is tried again until it is, or until a person ends it. It is hard state, so it
 * continues after a restart.
 */
export function startEmergency(core: StrategyCore): CommandAnswer {
  if (isEmergencyActive(core.state.risk)) return DONE
  emit(core, { type: 'EmergencyStarted', venues: countEmergencyScope(core) })
  enterTradingState(core, 'REDUCING', { code: 'emergency' })
  for (const { id, status } of [...core.state.strategies.all.values()]) {
    if (status === 'running') stopStrategy(core, id, 'Stopped by the emergency control.', CANCELLED)
  }
  cancelOrders(core)
  closePositions(core)
  finishIfFlat(core)
  return DONE
}

/** Leaves what is still open, and trading reduce-only. */
export function endEmergency(core: Core, outcome: EmergencyOutcome): CommandAnswer {
  if (isEmergencyActive(core.state.risk)) recordEmergencyEnd(core, outcome)
  return DONE
}

/** Called when time passes, while it is active. */
export function continueEmergency(core: Core, at: Instant): void {
  const { at: last } = core.closeAttempt
  if (last === null || at >= last + RETRY_MS) {
    cancelOrders(core)
    closePositions(core)
  }
  finishIfFlat(core)
}

/** Called after venue reports too, so that the halt follows the last fill at once. */
export function finishIfFlat(core: Core): void {
  const { positions, orders } = core.state
  if (positions.open.size > 0 || orders.working.size > 0) return
  recordEmergencyEnd(core, 'flat')
  enterTradingState(core, 'HALTED', { code: 'emergency' })
}

function cancelOrders(core: Core): void {
  cancelWhere(core, CANCELLED, (order) => !isClosingOrder(order))
}

/** A close that would be denied leaves no order: it is tried again, and the view says why it waits. */
function closePositions(core: Core): void {
  core.closeAttempt.at = core.draft.at
  const beingClosed = new Set(
    [...core.state.orders.working.values()]
      .filter(isClosingOrder)
      .map(({ terms }) => positionKey(terms.strategy, terms.instrument)),
  )
  for (const [key, position] of [...core.state.positions.open]) {
    const terms = closingTerms(position, null)
    if (beingClosed.has(key) || findCloseDenial(core, terms, core.draft.at) !== null) continue
    submitClose(core, terms)
  }
}
