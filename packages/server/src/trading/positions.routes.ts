import { positions } from '@binnacle/contract'
import {
  type Desk,
  type IdempotencyKey,
  idFrom,
  type OrderView,
  type PositionId,
  type PositionView,
} from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { Unconfirmed } from '#http/unconfirmed.ts'
import { asOf } from './as-of.ts'
import { positionsToWire } from './positions.wire.ts'
import { submitCommand } from './submit-command.ts'
import { awaitVenue } from './venue-answer.ts'

export function addPositionRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, positions.list, () => ({
    ...asOf(desk),
    positions: positionsToWire(desk.rows),
  }))

  mount(app, positions.close, async ({ params }, { audit, idempotencyKey }) => {
    const positionId = idFrom<PositionId>(params.id)
    const keyed = idempotencyKey === undefined ? {} : { key: idFrom<IdempotencyKey>(idempotencyKey) }
    const answer = await submitCommand(desk, { type: 'ClosePosition', positionId, ...keyed }, audit)
    if (answer instanceof Refused) return answer
    const isOpen = () => desk.rows.positions().some(({ id }) => id === positionId)
    const order = () => (answer.orderId === null ? null : desk.rows.order(answer.orderId))
    await awaitVenue(desk, () => !isOpen() || order()?.status !== 'PENDING')
    if (!isOpen()) return { message: `Position ${params.id} closed` }
    return whyOpen(order()) ?? stillOpen(params.id, desk.rows.positions(), order())
  })
}

/** CALL-51: a closing order that is finished while the position is open leaves a rest, which the outcome names. */
function stillOpen(id: string, positions: readonly PositionView[], order: OrderView | null) {
  const left = positions.find((position) => position.id === id)
  if (left === undefined) return { message: `Position ${id} closed` }
  const rest = `${left.quantity} ${left.instrument} ${left.side}`
  if (order !== null && order.status !== 'PENDING') {
    return new Refused(
      'position.left',
      `${order.filled} of position ${id} was closed; ${rest} is still open. Close it again to close the rest.`,
    )
  }
  return new Unconfirmed(`Close requested. Position ${id} is open with ${rest} until its venue confirms.`)
}

/** If the closing order was denied or rejected, the reply is a refusal. */
function whyOpen(order: OrderView | null): Refused | undefined {
  if (order === null || order.reason === null || order.filled > 0) return undefined
  return new Refused('engine.refused', `The position stays open. ${order.reason.sentence}`)
}
