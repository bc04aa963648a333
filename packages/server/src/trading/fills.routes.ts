import { type ClosedPosition, type Fill, fills, positions } from '@binnacle/contract'
import {
  type ClosedPositionView,
  type Desk,
  type FillRecord,
  idFrom,
  type OrderId,
  type RecordPage,
  type Rows,
} from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { createIsoFormatter } from '#http/iso-time.ts'
import { mount } from '#http/mount.ts'
import { asOfHistory } from './as-of.ts'
import { decimalToWire } from './decimal.wire.ts'

/** The records that an outside auditor adds up: every fill and every closed position. */
export function addFillRoutes(app: FastifyInstance, desk: Pick<Desk, 'rows' | 'pastOrders'>): void {
  mount(app, fills.list, async ({ query }) => {
    const { limit, cursor: before, order_id: id } = query
    const about = await asOfHistory(desk)
    const orderId = id === undefined ? undefined : idFrom<OrderId>(id)
    const page = desk.pastOrders.fills({ limit, before, orderId })
    return {
      ...about,
      fills: page.rows.map((fill) => fillToWire(fill, desk.rows)),
      next_cursor: cursorAfter(page, limit),
    }
  })

  mount(app, positions.closed, async ({ query: { limit, cursor: before } }) => {
    const about = await asOfHistory(desk)
    const page = desk.pastOrders.closedPositions({ limit, before })
    return {
      ...about,
      positions: page.rows.map((position) => closedToWire(position, desk.rows)),
      next_cursor: cursorAfter(page, limit),
    }
  })
}

/** The rows are numbered from 1, so a page that ends there is the last one. */
function cursorAfter({ rows, last }: RecordPage<unknown>, limit: number): number | undefined {
  return rows.length === limit && last !== 1 ? last : undefined
}

const isoTime = createIsoFormatter()

type Names = Pick<Rows, 'strategyName'>

function fillToWire(fill: FillRecord, { strategyName }: Names): Fill {
  return {
    id: `${fill.orderId}/${fill.fill}`,
    order_id: fill.orderId,
    position_id: fill.positionId,
    strategy: fill.strategy,
    strategy_name: strategyName(fill.strategy),
    instrument: fill.instrument,
    side: fill.side,
    quantity: fill.quantity,
    price: decimalToWire(fill.price),
    value: decimalToWire(fill.value),
    fee: decimalToWire(fill.fee),
    realized_pnl: decimalToWire(fill.realised),
    liquidity: fill.liquidity,
    at: isoTime(fill.at),
    journal_seq: fill.seq,
  }
}

function closedToWire(position: ClosedPositionView, { strategyName }: Names): ClosedPosition {
  return {
    id: position.id,
    instrument: position.instrument,
    side: position.side,
    strategy: position.strategy,
    strategy_name: strategyName(position.strategy),
    realized_pnl: decimalToWire(position.realised),
    fees: decimalToWire(position.fees),
    funding: decimalToWire(position.funding),
    result: decimalToWire(position.result),
    opened_at: isoTime(position.openedAt),
    closed_at: isoTime(position.closedAt),
    journal_seq: position.seq,
  }
}
