import type { Event, EventType } from '#model/event.ts'
import { applyEvent } from '#state/hard-state.ts'
import type { VenueRequest } from '#venue/venue.ts'
import type { Core, StaleSoftState } from './core.ts'

/** Applies an event to hard state at once and adds it to the step. */
export function emit(core: Core, event: Event): void {
  const { draft } = core
  if (core.isSealed) Object.freeze(event)
  applyEvent(core.state, event, draft)
  // Most steps have one event, and a list literal of one allocates no spare capacity.
  if (draft.events.length === 0) draft.events = [event]
  else draft.events.push(event)
  const stale = staleAfter(event.type)
  if (stale > draft.stale) draft.stale = stale
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
  if (core.draft.stale === 1) core.draft.stale = 0
}

/** The most frequent events are compared before the table is read. */
function staleAfter(type: EventType): StaleSoftState {
  if (type === 'OrderSubmitted' || type === 'OrderAccepted') return 0
  return type === 'OrderFilled' ? 1 : (STALE_AFTER[type] ?? 2)
}

/** The frequent events; every other one refreshes all soft state. */
const STALE_AFTER: { readonly [Type in EventType]?: StaleSoftState } = {
  OrderDenied: 0,
  OrderSubmitted: 0,
  OrderAccepted: 0,
  OrderTriggered: 0,
  OrderChangeRequested: 0,
  OrderChanged: 0,
  OrderChangeRejected: 0,
  OrderCancelRequested: 0,
  OrderCancelled: 0,
  OrderRejected: 0,
  ReportDisregarded: 0,
  HighWaterRaised: 0,
  DrawdownDeepened: 0,
  OrderFilled: 1,
  FundingPaid: 1,
  DayStarted: 1,
}
