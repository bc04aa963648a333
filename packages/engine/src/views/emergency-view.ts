import { describeReason } from '#model/describe.ts'
import type { VenueId } from '#model/instrument.ts'
import type { EmergencyOutcome, EmergencyScope } from '#model/risk.ts'
import { findCloseObstacle } from '#orders/close-position.ts'
import { countEmergencyScope } from '#orders/emergency-scope.ts'
import { markedValue, type RiskContext } from '#risk/exposure.ts'

import type { Emergency, RiskRegister } from '#state/risk-register.ts'
import type { InstrumentId, PositionId, StrategyId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber, sizeOf } from '#values/money.ts'
import { netQuantityFromLots, quantityToNumber } from '#values/quantity.ts'

/** The emergency control: what closing everything would do, does or did. */
export interface EmergencyView {
  readonly isActive: boolean
  readonly startedAt: Instant | null
  readonly endedAt: Instant | null
  readonly outcome: EmergencyOutcome | null
  /** When trading was resumed after it: from then on its report is past. */
  readonly resumedAt: Instant | null
  readonly venues: readonly EmergencyVenue[]
  /** What is open; while it is active, with why it is. */
  readonly open: readonly OpenInEmergency[]
}

export interface EmergencyVenue {
  readonly venue: VenueId
  /** When the last one began; zero without one. */
  readonly ordersAtStart: number
  readonly positionsAtStart: number
  /** Of these: now while it is active, then when it ended. */
  readonly ordersLeft: number
  readonly positionsLeft: number
  readonly orders: number
  readonly positions: number
  /** The value of the positions at the marks. */
  readonly exposure: number
}

export interface OpenInEmergency {
  readonly position: PositionId
  readonly strategy: StrategyId
  readonly instrument: InstrumentId
  readonly quantity: number
  /** Null while it can be closed. */
  readonly obstacle: string | null
}

export function viewEmergency(context: RiskContext): EmergencyView {
  const { risk } = context.state
  const { emergency } = risk
  return {
    isActive: emergency !== null && emergency.ended === null,
    startedAt: emergency?.startedAt ?? null,
    endedAt: emergency?.ended?.at ?? null,
    outcome: emergency?.ended?.outcome ?? null,
    resumedAt: emergency && resumedAt(risk, emergency),
    venues: countVenues(context),
    open: viewOpen(context),
  }
}

/** An older snapshot says it only while trading is ACTIVE. */
function resumedAt({ tradingState, tradingStateSince }: RiskRegister, emergency: Emergency): Instant | null {
  if (emergency.ended === null) return null
  return emergency.resumedAt ?? (tradingState === 'ACTIVE' ? tradingStateSince : null)
}

function leftOf(context: RiskContext): readonly EmergencyScope[] {
  const { emergency } = context.state.risk
  if (emergency === null) return []
  const { ended } = emergency
  // An older journal does not say what was left, unless that was nothing.
  return ended?.left ?? (ended?.outcome === 'flat' ? [] : countEmergencyScope(context))
}

function emptyRow(venue: VenueId): Mutable<EmergencyVenue> {
  return {
    venue,
    ordersAtStart: 0,
    positionsAtStart: 0,
    ordersLeft: 0,
    positionsLeft: 0,
    orders: 0,
    positions: 0,
    exposure: 0,
  }
}

function countVenues(context: RiskContext): EmergencyVenue[] {
  const { state, instruments } = context
  const rows = new Map<VenueId, Mutable<EmergencyVenue>>()
  const rowOf = (venue: VenueId) => {
    const row = rows.get(venue) ?? emptyRow(venue)
    rows.set(venue, row)
    return row
  }
  for (const { venue, orders, positions } of state.risk.emergency?.venues ?? []) {
    Object.assign(rowOf(venue), { ordersAtStart: orders, positionsAtStart: positions })
  }
  for (const { venue, orders, positions } of leftOf(context)) {
    Object.assign(rowOf(venue), { ordersLeft: orders, positionsLeft: positions })
  }
  for (const { terms } of state.orders.working.values()) {
    rowOf(instruments.get(terms.instrument).venue).orders += 1
  }
  for (const position of state.positions.open.values()) {
    const instrument = instruments.get(position.instrument)
    const row = rowOf(instrument.venue)
    row.positions += 1
    row.exposure += moneyToNumber(sizeOf(markedValue(context, position, instrument)))
  }
  return [...rows.values()].sort((one, other) => (one.venue < other.venue ? -1 : 1))
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

function viewOpen(context: RiskContext): OpenInEmergency[] {
  return [...context.state.positions.open.values()].map((position) => {
    const { lot } = context.instruments.get(position.instrument)
    const denial = findCloseObstacle(context, position)
    return {
      position: position.id,
      strategy: position.strategy,
      instrument: position.instrument,
      quantity: quantityToNumber(netQuantityFromLots(position.quantity), lot),
      obstacle: denial && describeReason(denial),
    }
  })
}
