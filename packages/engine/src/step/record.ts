import type { Event, EventType } from '#model/event.ts'
import { applyEvent } from '#state/hard-state.ts'
import type { VenueRequest } from '#venue/venue.ts'
import type { Core, StaleSoftState } from './step-core.ts'

/** Applies an event to hard state at once and adds it to the step. */
export function emit(core: Core, event: Event): void {
  const { draft } = core
  if (!core.isBacktest) Object.freeze(event)
  applyEvent(core.state, event, draft)
  // Most steps have one event, and a list literal of one allocates no spare capacity.
  if (draft.events.length === 0) draft.events = [event]
  else draft.events.push(event)
  const stale = staleAfter(event.type)
  if (draft.stale === 'none' || stale === 'all') draft.stale = stale
}

/** Adds a request to the outbox; it leaves when the step's events are durable. */
export function send(core: Core, request: VenueRequest): void {
  const { draft } = core
  if (draft.outbox.length === 0) draft.outbox = [request]
  else draft.outbox.push(request)
}

/** Updates the valuation within a step, for a check that needs it before the step ends. */
export function revalue(core: Core): void {
  core.valuation.refresh(core.state)
  if (core.draft.stale === 'valuation') core.draft.stale = 'none'
}

/** The most frequent events are compared before the table is read. */
function staleAfter(type: EventType): StaleSoftState {
  if (type === 'OrderSubmitted' || type === 'OrderAccepted') return 'none'
  return type === 'OrderFilled' ? 'valuation' : (STALE_AFTER[type] ?? 'all')
}

/** Events that leave some soft state valid; every other one refreshes all of it. */
const STALE_AFTER: { readonly [Type in EventType]?: StaleSoftState } = {
  OrderDenied: 'none',
  OrderTriggered: 'none',
  OrderChangeRequested: 'none',
  OrderChanged: 'none',
  OrderChangeRejected: 'none',
  OrderCancelRequested: 'none',
  OrderCancelled: 'none',
  OrderRejected: 'none',
  ReportDisregarded: 'none',
  HighWaterRaised: 'none',
  DrawdownDeepened: 'none',
  FundingPaid: 'valuation',
  PositionExitsChanged: 'valuation',
  DayStarted: 'valuation',
}
