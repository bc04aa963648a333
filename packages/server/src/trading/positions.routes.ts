import { type Position, positions } from '@binnacle/contract'
import { type IdempotencyKey, idFrom, type PositionId, type PositionView } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { askDesk } from './ask-desk.ts'
import { decimalToWire } from './decimal.wire.ts'
import { awaitVenue } from './venue-answer.ts'

export function addPositionRoutes(app: FastifyInstance, desk: DeskHost): void {
  mount(app, positions.list, () => ({ positions: desk.views.positions().map(positionToWire) }))

  mount(app, positions.close, async ({ params }, act, key) => {
    const positionId = idFrom<PositionId>(params.id)
    const keyed = key === undefined ? {} : { key: idFrom<IdempotencyKey>(key) }
    const answer = await askDesk(desk, { type: 'ClosePosition', positionId, ...keyed }, act)
    if (answer instanceof Refused) return answer
    const isDone = await awaitVenue(desk, () => desk.views.positions().every(({ id }) => id !== positionId))
    return { message: `Position ${params.id} ${isDone ? 'closed' : 'is being closed'}` }
  })
}

function positionToWire(position: PositionView): Position {
  return {
    id: position.id,
    instrument: position.instrument,
    side: position.side,
    quantity: position.quantity,
    entry_price: decimalToWire(position.entryPrice),
    current_price: decimalToWire(position.currentPrice),
    unrealized_pnl: decimalToWire(position.unrealised),
    realized_pnl: decimalToWire(position.realised),
  }
}
