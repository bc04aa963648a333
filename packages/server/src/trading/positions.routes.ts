import { type Position, positions } from '@binnacle/contract'
import {
  type IdempotencyKey,
  idFrom,
  type OrderView,
  type PositionId,
  type PositionView,
} from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { askDesk } from './ask-desk.ts'
import { decimalToWire } from './decimal.wire.ts'
import { awaitVenue } from './venue-answer.ts'

export function addPositionRoutes(app: FastifyInstance, desk: DeskHost): void {
  mount(app, positions.list, () => ({
    positions: desk.views
      .positions()
      .map((position) => positionToWire(position, desk.views.strategy(position.strategy)?.name)),
  }))

  mount(app, positions.close, async ({ params }, act, key) => {
    const positionId = idFrom<PositionId>(params.id)
    const keyed = key === undefined ? {} : { key: idFrom<IdempotencyKey>(key) }
    const answer = await askDesk(desk, { type: 'ClosePosition', positionId, ...keyed }, act)
    if (answer instanceof Refused) return answer
    const isOpen = () => desk.views.positions().some(({ id }) => id === positionId)
    const order = () => (answer.orderId === null ? null : desk.views.order(answer.orderId))
    await awaitVenue(desk, () => !isOpen() || order()?.status !== 'PENDING')
    if (!isOpen()) return { message: `Position ${params.id} closed` }
    return whyOpen(order()) ?? { message: `Position ${params.id} is being closed` }
  })
}

/** The order that was to close it may have been denied or rejected, which is no success for whoever asked. */
function whyOpen(order: OrderView | null): Refused | undefined {
  if (order === null || order.reason === null) return undefined
  return new Refused('engine.refused', `The position stays open. ${order.reason.sentence}`)
}

function positionToWire(position: PositionView, strategyName: string | undefined): Position {
  return {
    id: position.id,
    instrument: position.instrument,
    side: position.side,
    quantity: position.quantity,
    entry_price: decimalToWire(position.entryPrice),
    current_price: decimalToWire(position.currentPrice),
    unrealized_pnl: decimalToWire(position.unrealised),
    realized_pnl: decimalToWire(position.realised),
    strategy: position.strategy,
    strategy_name: strategyName,
  }
}
