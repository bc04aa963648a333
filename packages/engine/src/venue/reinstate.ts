import type { HardState } from '#hard-state.ts'
import type { Order } from '#orders/order.ts'
import type { Position } from '#positions/position.ts'
import { reinstate, reinstateChange } from '#risk/gate.ts'
import type { Outgoing } from './venue.ts'

/** Returns what venues must be told after a restart: to connect or not, what is held, the orders, and wishes not yet confirmed. */
export function reinstateAll(state: HardState): Outgoing[] {
  const { wanted, connected, positions, orders } = state
  const connects = [...wanted].map((venue): Outgoing => ({ type: 'connect', venue }))
  const unwanted = [...connected].filter((venue) => !wanted.has(venue))
  const disconnects = unwanted.map((venue): Outgoing => ({ type: 'disconnect', venue }))
  const holds = [...positions.open.values()].map(tellHeld)
  return connects.concat(disconnects, holds, [...orders.working.values()].flatMap(tellAgain))
}

function tellHeld({ strategy, instrument, quantity: lots }: Position): Outgoing {
  return { type: 'hold', strategy, instrument, lots }
}

function tellAgain(order: Order): Outgoing[] {
  const again: Outgoing[] = [{ type: 'submit', order: reinstate(order) }]
  if (order.change) again.push({ type: 'change', change: reinstateChange(order, order.change) })
  if (order.isCancelRequested) {
    const { instrument } = order.terms
    again.push({ type: 'cancel', orderId: order.id, instrument, cause: { code: 'cancel.asked' } })
  }
  return again
}
