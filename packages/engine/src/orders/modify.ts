import type { ModifyOrder } from '#model/input.ts'
import { checkChange } from '#risk/gate.ts'
import { emit, send } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import { refuse } from '#values/result.ts'
import { workingOrder } from './cancel.ts'
import { parseChange } from './parse-order.ts'

/** Requests new terms from the venue. Until it confirms, risk counts the higher-valued of old and new. */
export function modifyOrder(core: Core, command: ModifyOrder): CommandAnswer {
  const found = workingOrder(core, command.orderId)
  if (!found.ok) return found
  const order = found.value
  // Risk counts the higher-valued of two sets of terms; with three it could not know which one the venue has.
  if (order.change !== null) return refuse({ code: 'order.changing', order: order.id })
  const instrument = core.instruments.get(order.terms.instrument)
  const terms = parseChange(instrument, order, command)
  if (!terms.ok) return terms
  if (terms.value.quantity === order.quantity && terms.value.price === order.price) {
    return refuse({ code: 'order.unchanged', order: order.id })
  }
  const change = { orderId: order.id, number: order.changes + 1, terms: order.terms, ...terms.value }
  const verdict = checkChange(core, order, change, core.draft.at)
  if (!verdict.ok) return verdict
  const { approved, valuePerLot } = verdict.value
  const before = { instrument: instrument.id, quantity: order.quantity, price: order.price }
  emit(core, { type: 'OrderChangeRequested', orderId: order.id, ...terms.value, valuePerLot, before })
  send(core, { type: 'change', change: approved })
  return DONE
}
