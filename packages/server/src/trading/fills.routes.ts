import { fills, positions } from '@binnacle/contract'
import { type Desk, idFrom, type OrderId, type RecordPage } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { asOfHistory } from './as-of.ts'
import { closedToWire, fillToWire } from './fills.wire.ts'

/** The records that an outside auditor adds up: every fill and every closed position. */
export function addFillRoutes(app: FastifyInstance, desk: Pick<Desk, 'views' | 'orderHistory'>): void {
  mount(app, fills.list, async ({ query }) => {
    const { limit, cursor: before, order_id: id } = query
    const about = await asOfHistory(desk)
    const orderId = id === undefined ? undefined : idFrom<OrderId>(id)
    const page = desk.orderHistory.fills({ limit, before, orderId })
    return {
      ...about,
      fills: page.rows.map((fill) => fillToWire(fill, desk.views)),
      next_cursor: cursorAfter(page, limit),
    }
  })

  mount(app, positions.closed, async ({ query: { limit, cursor: before } }) => {
    const about = await asOfHistory(desk)
    const page = desk.orderHistory.closedPositions({ limit, before })
    return {
      ...about,
      positions: page.rows.map((position) => closedToWire(position, desk.views)),
      next_cursor: cursorAfter(page, limit),
    }
  })
}

/** The rows are numbered from 1, so a page that ends there is the last one. */
function cursorAfter({ rows, last }: RecordPage<unknown>, limit: number): number | undefined {
  return rows.length === limit && last !== 1 ? last : undefined
}
