import { type Emergency, emergency } from '@binnacle/contract'
import type { Desk, EmergencyView } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { decimalToWire } from './decimal.wire.ts'
import { submitCommand } from './submit-command.ts'

export function addEmergencyRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, emergency.get, () => emergencyToWire(desk.views.emergency()))

  mount(app, emergency.start, async (_, { audit }) => {
    const answer = await submitCommand(desk, { type: 'StartEmergency' }, audit)
    return answer instanceof Refused ? answer : emergencyToWire(desk.views.emergency())
  })

  mount(app, emergency.end, async (_, { audit }) => {
    const answer = await submitCommand(desk, { type: 'EndEmergency' }, audit)
    return answer instanceof Refused ? answer : emergencyToWire(desk.views.emergency())
  })
}

function emergencyToWire(view: EmergencyView): Emergency {
  const isoTime = (at: number | null) => at && new Date(at).toISOString()
  return {
    is_active: view.isActive,
    started_at: isoTime(view.startedAt) || null,
    ended_at: isoTime(view.endedAt) || null,
    outcome: view.outcome,
    resumed_at: isoTime(view.resumedAt) || null,
    venues: view.venues.map((row) => ({
      venue: row.venue,
      orders: row.orders,
      positions: row.positions,
      exposure: decimalToWire(row.exposure),
      orders_at_start: row.ordersAtStart,
      positions_at_start: row.positionsAtStart,
      orders_left: row.ordersLeft,
      positions_left: row.positionsLeft,
    })),
    open: view.open.map(({ position, instrument, strategy, quantity, obstacle }) => ({
      id: position,
      instrument,
      strategy,
      quantity: decimalToWire(quantity),
      obstacle,
    })),
  }
}
