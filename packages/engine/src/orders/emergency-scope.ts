import type { VenueId } from '#model/instrument.ts'
import type { EmergencyOutcome, EmergencyScope } from '#model/risk.ts'
import type { RiskContext } from '#risk/exposure.ts'
import { emit } from '#step/record.ts'
import type { Core } from '#step/step-core.ts'
import { isClosingOrder } from './close-position.ts'

/** Counts per venue the orders that the emergency control cancels and the positions that it closes. */
export function countEmergencyScope({
  state,
  instruments,
}: Pick<RiskContext, 'state' | 'instruments'>): EmergencyScope[] {
  const scopes = new Map<VenueId, { orders: number; positions: number }>()
  const scopeOf = (venue: VenueId) => {
    const scope = scopes.get(venue) ?? { orders: 0, positions: 0 }
    scopes.set(venue, scope)
    return scope
  }
  for (const order of state.orders.working.values()) {
    if (!isClosingOrder(order)) scopeOf(instruments.get(order.terms.instrument).venue).orders += 1
  }
  for (const { instrument } of state.positions.open.values()) {
    scopeOf(instruments.get(instrument).venue).positions += 1
  }
  return [...scopes].map(([venue, counts]) => ({ venue, ...counts }))
}

/** Ends the emergency control with what is left: later orders and positions are no part of its report. */
export function recordEmergencyEnd(core: Core, outcome: EmergencyOutcome): void {
  emit(core, { type: 'EmergencyEnded', outcome, left: countEmergencyScope(core) })
}
