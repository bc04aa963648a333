import type { ConnectionReport } from '#model/input.ts'
import type { VenueId } from '#model/instrument.ts'
import type { Order } from '#model/order.ts'
import { cancelWhere } from '#orders/cancel.ts'
import { emit, send } from '#step/record.ts'
import type { Core } from '#step/step-core.ts'
import { cancelRequest } from '#venue/reinstate.ts'

/** Requests that a venue connects or disconnects; its working orders are cancelled before a disconnect. */
export function switchVenue(core: Core, venue: VenueId, isWanted: boolean): void {
  if (core.state.wanted.has(venue) === isWanted) return
  emit(core, { type: 'VenueSwitched', venue, isWanted })
  if (!isWanted) cancelWhere(core, { code: 'cancel.venue-disconnected', venue }, isAt(core, venue))
  send(core, { type: isWanted ? 'connect' : 'disconnect', venue })
}

/** Records that a venue connected or disconnected. Cancels that could not reach it are sent again. */
export function handleConnectionReport(core: Core, report: ConnectionReport): void {
  const { venue } = report
  const isConnected = report.type === 'connected'
  if (core.state.connected.has(venue) === isConnected) return
  emit(core, { type: isConnected ? 'VenueConnected' : 'VenueDisconnected', venue })
  if (!isConnected) return
  for (const order of core.state.orders.working.values()) {
    if (order.isCancelRequested && isAt(core, venue)(order)) send(core, cancelRequest(order))
  }
}

function isAt(core: Core, venue: VenueId): (order: Order) => boolean {
  return (order) => core.instruments.get(order.terms.instrument).venue === venue
}
