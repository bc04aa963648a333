import type { Event, EventType } from '#model/event.ts'
import { applyEvent } from '#state/hard-state.ts'
import { withItem } from '#values/small-list.ts'
import type { VenueRequest } from '#venue/venue.ts'
import type { Core, StaleSoftState } from './step-core.ts'

/** Applies an event to hard state at once and adds it to the step. */
export function emit(core: Core, event: Event): void {
  const { draft } = core
  if (!core.isBacktest) Object.freeze(event)
  applyEvent(core.state, event, draft)
  draft.events = withItem(draft.events, event)
  const stale = staleAfter(event.type)
  if (draft.stale === 'none' || stale === 'all') draft.stale = stale
}

/** Adds a request to the outbox; it leaves when the step's events are durable. */
export function send(core: Core, request: VenueRequest): void {
  const { draft } = core
  draft.outbox = withItem(draft.outbox, request)
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
