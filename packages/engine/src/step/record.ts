import type { Event, EventType } from '#model/event.ts'
import { applyEvent } from '#state/hard-state.ts'
import type { VenueRequest } from '#venue/venue.ts'
import type { Core, StaleSoftState } from './step-core.ts'

/** Applies an event to hard state at once and adds it to the step. */
export function emit(core: Core, event: Event): void {
  const { draft } = core
  if (!core.isBacktest) Object.freeze(event)
  applyEvent(core.state, event, draft)
  // Most steps have one event or two, and a list literal allocates no spare capacity.
  // By index, here and below: destructuring a list runs its iterator.
  const first = draft.events[0]
  if (first === undefined) draft.events = [event]
  else if (draft.events.length === 1) draft.events = [first, event]
  else draft.events.push(event)
  const stale = staleAfter(event.type)
  if (draft.stale === 'none' || stale === 'all') draft.stale = stale
}

/** Adds a request to the outbox; it leaves when the step's events are durable. */
export function send(core: Core, request: VenueRequest): void {
  const { draft } = core
  const first = draft.outbox[0]
  if (first === undefined) draft.outbox = [request]
  else if (draft.outbox.length === 1) draft.outbox = [first, request]
  else draft.outbox.push(request)
}

/** Updates the valuation within a step, for a check that needs it before the step ends. */
export function revalue(core: Core): void {
  core.valuation.refresh(core.state)
  if (core.draft.stale === 'valuation') core.draft.stale = 'none'
}

/** Events that leave some soft state valid; every other one refreshes all of it. */
function staleAfter(type: EventType): StaleSoftState {
  switch (type) {
    case 'OrderFilled':
    case 'FundingPaid':
    case 'PositionExitsChanged':
    case 'DayStarted':
      return 'valuation'
    case 'OrderSubmitted':
    case 'OrderAccepted':
    case 'OrderCancelRequested':
    case 'OrderCancelled':
    case 'OrderDenied':
    case 'OrderTriggered':
    case 'OrderChangeRequested':
    case 'OrderChanged':
    case 'OrderChangeRejected':
    case 'OrderRejected':
    case 'ReportDisregarded':
    case 'HighWaterRaised':
    case 'DrawdownDeepened':
      return 'none'
    default:
      return 'all'
  }
}
