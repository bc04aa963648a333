import type { ConnectionReport, VenueHoldingsReport } from '#model/input.ts'
import type { VenueId } from '#model/instrument.ts'
import type { Order } from '#model/order.ts'
import { positionKey } from '#model/position.ts'
import { cancelWhere } from '#orders/cancel.ts'
import { emit, send } from '#step/record.ts'
import { type CommandAnswer, type Core, DONE } from '#step/step-core.ts'
import { netQuantityFromLots, quantityToNumber } from '#values/quantity.ts'
import { cancelRequest } from '#venue/resend.ts'

/** Requests that a venue connects or disconnects; its working orders are cancelled before a disconnect. */
export function switchVenue(core: Core, venue: VenueId, isWanted: boolean): CommandAnswer {
  if (core.state.wanted.has(venue) === isWanted) return DONE
  emit(core, { type: 'VenueSwitched', venue, isWanted })
  if (!isWanted) cancelWhere(core, { code: 'cancel.venue-disconnected', venue }, isAt(core, venue))
  send(core, { type: isWanted ? 'connect' : 'disconnect', venue })
  return DONE
}

/** Records that a venue connected or disconnected. Cancels that could not reach it are sent again. */
export function handleConnectionReport(core: Core, report: ConnectionReport): void {
  const { venue } = report
  const isConnected = report.type === 'connected'
  const isRepeated = core.state.connected.has(venue) === isConnected
  // A repeated report still says what the venue has: after a restart the desk is connected already.
  if (isConnected && report.holdings !== undefined) reconcile(core, venue, report.holdings, isRepeated)
  if (isRepeated) return
  emit(core, { type: isConnected ? 'VenueConnected' : 'VenueDisconnected', venue })
  if (!isConnected) return
  for (const order of core.state.orders.working.values()) {
    if (order.isCancelRequested && isAt(core, venue)(order)) send(core, cancelRequest(order))
  }
}

/**
 * Compares what the venue has with what we have. An order that it had and no longer has is cancelled, one that we do
 * not know as working is cancelled there, and a position that differs is recorded for a person to decide.
 */
function reconcile(
  core: Core,
  venue: VenueId,
  { orders, positions }: VenueHoldingsReport,
  isRepeated: boolean,
): void {
  const differences: string[] = []
  const there = new Set(orders.map(({ orderId }) => orderId))
  const { working } = core.state.orders
  const cause = { code: 'cancel.reconciled', venue } as const
  const missing = [...working.values()].filter(
    (order) => isAt(core, venue)(order) && order.state !== 'SUBMITTED' && !there.has(order.id),
  )
  for (const { id: orderId } of missing) {
    emit(core, { type: 'OrderCancelled', orderId, cause })
    differences.push(`Order ${orderId} is no longer open at ${venue}; cancelled.`)
  }
  for (const { orderId, instrument } of orders) {
    if (working.has(orderId)) continue
    send(core, { type: 'cancel', orderId, instrument, cause })
    differences.push(`Order ${orderId} is open at ${venue} but unknown here; cancel requested.`)
  }
  differences.push(...differentPositions(core, venue, positions))
  const isWorthNoting = !isRepeated && orders.length + positions.length > 0
  if (!isWorthNoting && differences.length === 0) return
  emit(core, {
    type: 'VenueReconciled',
    venue,
    orders: orders.length,
    positions: positions.length,
    differences,
  })
}

function differentPositions(
  core: Core,
  venue: VenueId,
  reported: VenueHoldingsReport['positions'],
): string[] {
  const atVenue = new Map(reported.map((each) => [positionKey(each.strategy, each.instrument), each]))
  const held = [...core.state.positions.open.values()].filter(
    ({ instrument }) => core.instruments.get(instrument).venue === venue,
  )
  const keys = new Set([
    ...atVenue.keys(),
    ...held.map(({ strategy, instrument }) => positionKey(strategy, instrument)),
  ])
  return [...keys].flatMap((key) => {
    const ours = core.state.positions.open.get(key)
    const theirs = atVenue.get(key)
    const named = ours ?? theirs
    if (named === undefined || (ours?.quantity ?? 0) === (theirs?.lots ?? 0)) return []
    const { lot } = core.instruments.get(named.instrument)
    const inUnits = (lots: number) => quantityToNumber(netQuantityFromLots(lots), lot)
    const [here, there] = [inUnits(ours?.quantity ?? 0), inUnits(theirs?.lots ?? 0)]
    return `Position of ${named.strategy} in ${named.instrument} differs: ${here} here, ${there} at ${venue}. Check it with the venue.`
  })
}

function isAt(core: Core, venue: VenueId): (order: Order) => boolean {
  return (order) => core.instruments.get(order.terms.instrument).venue === venue
}
