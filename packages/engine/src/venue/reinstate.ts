import type { HardState } from '#hard-state.ts'
import type { Order } from '#orders/order.ts'
import { reinstate, reinstateChange } from '#risk/gate.ts'
import type { Outgoing } from './venue.ts'

/** Returns what venues must be told after a restart: to connect, the working orders, and wishes not yet confirmed. */
export function reinstateAll(state: HardState): Outgoing[] {
  const connects = [...state.wanted].map((venue): Outgoing => ({ type: 'connect', venue }))
  return connects.concat([...state.orders.working.values()].flatMap(tellAgain))
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
