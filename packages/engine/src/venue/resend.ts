import type { Order } from '#model/order.ts'
import type { Position } from '#model/position.ts'
import { approveResend, approveResendChange } from '#risk/gate.ts'
import type { HardState } from '#state/hard-state.ts'
import type { VenueRequest } from './venue.ts'

/** Returns the requests after a restart: connections, positions, working orders, unconfirmed changes and cancels. */
export function createResendRequests(state: HardState): VenueRequest[] {
  const { wanted, connected, positions, orders } = state
  const connects = [...wanted].map((venue): VenueRequest => ({ type: 'connect', venue }))
  const unwanted = [...connected].filter((venue) => !wanted.has(venue))
  const disconnects = unwanted.map((venue): VenueRequest => ({ type: 'disconnect', venue }))
  const restored = [...positions.open.values()].map(restorePositionRequest)
  return connects.concat(disconnects, restored, [...orders.working.values()].flatMap(resendOrder))
}

function restorePositionRequest({ strategy, instrument, quantity: lots }: Position): VenueRequest {
  return { type: 'restore-position', strategy, instrument, lots }
}

function resendOrder(order: Order): VenueRequest[] {
  const requests: VenueRequest[] = [{ type: 'submit', order: approveResend(order) }]
  if (order.change) requests.push({ type: 'change', change: approveResendChange(order, order.change) })
  if (order.isCancelRequested) {
    requests.push(cancelRequest(order))
  }
  return requests
}

/** Returns the request to cancel an order, with the cause of the first one. */
export function cancelRequest({ id: orderId, terms, cancelCause }: Order): VenueRequest {
  const cause = cancelCause ?? { code: 'cancel.asked' }
  return { type: 'cancel', orderId, instrument: terms.instrument, cause }
}
