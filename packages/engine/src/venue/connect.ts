import { type Core, emit, send } from '#core.ts'
import type { ConnectionReport } from '#input.ts'
import type { VenueId } from '#market/instrument.ts'
import { cancelWhere } from '#orders/cancel.ts'
import type { Order } from '#orders/order.ts'

/** Asks a venue to connect or disconnect; before a disconnect its working orders are taken back. */
export function switchVenue(core: Core, venue: VenueId, isWanted: boolean): void {
  if (core.state.wanted.has(venue) === isWanted) return
  emit(core, { type: 'VenueSwitched', venue, isWanted })
  if (!isWanted) cancelWhere(core, { code: 'cancel.venue-disconnected', venue }, isAt(core, venue))
  send(core, { type: isWanted ? 'connect' : 'disconnect', venue })
}

/** Takes in that a venue came or went; cancels that could not reach it are sent again. */
export function noteConnection(core: Core, report: ConnectionReport): void {
  const { venue } = report
  const isConnected = report.type === 'connected'
  if (core.state.connected.has(venue) === isConnected) return
  emit(core, { type: isConnected ? 'VenueConnected' : 'VenueDisconnected', venue })
  if (!isConnected) return
  for (const order of core.state.orders.working.values()) {
    if (!order.isCancelRequested || !isAt(core, venue)(order)) continue
    const { instrument } = order.terms
    send(core, { type: 'cancel', orderId: order.id, instrument, cause: { code: 'cancel.asked' } })
  }
}

function isAt(core: Core, venue: VenueId): (order: Order) => boolean {
  return (order) => core.instruments.get(order.terms.instrument).venue === venue
}
