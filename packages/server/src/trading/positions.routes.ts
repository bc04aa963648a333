import { createHash } from 'node:crypto'
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
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { asOf } from './as-of.ts'
import { changeExitsFromWire, describeExits, positionsToWire } from './positions.wire.ts'
import { isInScope, rowOutcome, rowOutcomesToWire } from './row-outcomes.ts'
import { submitCommand } from './submit-command.ts'
import { awaitVenue } from './venue-answer.ts'

export function addPositionRoutes(app: FastifyInstance, desk: Desk): void {
  mount(app, positions.list, () => ({
    ...asOf(desk),
    positions: positionsToWire(desk.views),
  }))

  mount(app, positions.close, ({ params, body }, { audit, idempotencyKey }) => {
    const closing = { id: idFrom<PositionId>(params.id), quantity: body?.quantity, key: idempotencyKey }
    return closePosition(desk, closing, audit)
  })

  mount(app, positions.changeExits, async ({ params, body }, { audit }) => {
    const positionId = idFrom<PositionId>(params.id)
    const answer = await submitCommand(desk, changeExitsFromWire(positionId, body), audit)
    if (answer instanceof Refused) return answer
    return { message: describeExits(desk.views.positions().find(({ id }) => id === positionId)) }
  })

  mount(app, positions.closeAll, async ({ body }, { audit, idempotencyKey: key }) => {
    const open = desk.views.positions().filter((position) => isInScope(position, body))
    const rows = await Promise.all(
      open.map(async (position) => {
        // One key per position, so that a repeat closes none twice.
        const keyed = key === undefined ? {} : { key: keyOfPosition(key, position.id) }
        return rowOutcome(position, await closePosition(desk, { id: position.id, ...keyed }, audit))
      }),
    )
    return rowOutcomesToWire(rows, CLOSE_WORDS)
  })
}

/** A digest, since the engine refuses a key longer than the longest that a client may send. */
function keyOfPosition(key: string, id: PositionId): string {
  return createHash('sha256')
    .update(JSON.stringify([key, id]))
    .digest('hex')
}

const CLOSE_WORDS = { none: 'No open positions.', one: 'position', many: 'positions', done: 'closed' }

interface Closing {
  readonly id: PositionId
  readonly quantity?: number | undefined
  readonly key?: string | undefined
}

/** Closes a position and waits for its venue. */
async function closePosition(desk: Desk, { id, quantity, key }: Closing, audit: AuditContext) {
  const keyed = key === undefined ? {} : { key: idFrom<IdempotencyKey>(key) }
  const part = quantity === undefined ? {} : { quantity }
  const answer = await submitCommand(
    desk,
    { type: 'ClosePosition', positionId: id, ...part, ...keyed },
    audit,
  )
  if (answer instanceof Refused) return answer
  const isOpen = () => desk.views.positions().some((position) => position.id === id)
  const order = () => (answer.orderId === null ? null : desk.views.order(answer.orderId))
  await awaitVenue(desk, () => !isOpen() || order()?.status !== 'PENDING')
  if (!isOpen()) return { message: `Position ${id} closed` }
  const closed = order()
  if (quantity !== undefined && closed?.status === 'FILLED') {
    return { message: `${closed.filled} of position ${id} closed` }
  }
  return whyOpen(closed) ?? stillOpen(id, desk.views.positions(), closed)
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
