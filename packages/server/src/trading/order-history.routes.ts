import { setImmediate as nextTurn } from 'node:timers/promises'
import { type HistoryFilter, orderHistory } from '@binnacle/contract'
import { type Desk, instantFromMs, type OrderFilter, type OrderView } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { Attachment } from '#http/attachment.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { csvRow } from '#services/csv.ts'
import { asOfHistory } from './as-of.ts'
import { mergeNewest, orderBound } from './order-list.ts'
import { orderToWire } from './orders.wire.ts'

type OrderSources = Pick<Desk, 'views' | 'orderHistory'>
type Status = NonNullable<HistoryFilter['status']>

/** Orders of all time: working ones from the views, finished ones from the history. */
export function addOrderHistoryRoutes(app: FastifyInstance, desk: OrderSources): void {
  mount(app, orderHistory.list, async ({ query: { limit, cursor, status, ...query } }) => {
    const before = orderBound(cursor, desk)
    if (before instanceof Refused) return before
    const about = await asOfHistory(desk)
    const filter = filterOf(query)
    const orders = pageOf(desk, { filter, status, before, limit })
    const counts = { PENDING: workingOf(desk, filter).length, ...desk.orderHistory.count(filter) }
    const last = orders.length === limit ? orders.at(-1)?.id : undefined
    return {
      ...about,
      orders: orders.map((order) => orderToWire(order, desk.views)),
      counts,
      ...(last !== undefined && { next_cursor: last }),
    }
  })

  mount(app, orderHistory.export, async ({ query: { status, ...query } }) => {
    await asOfHistory(desk)
    const rows = exportRows(desk, filterOf(query), status)
    return new Attachment('orders.csv', 'text/csv; charset=utf-8', rows)
  })
}

function filterOf({ from, to, ...rest }: Omit<HistoryFilter, 'status'>): OrderFilter {
  const at = (time: string | undefined) => (time === undefined ? undefined : instantFromMs(Date.parse(time)))
  return { ...rest, from: at(from), to: at(to) }
}

interface PageQuery {
  filter: OrderFilter
  status: Status | undefined
  before: number
  limit: number
}

function pageOf(desk: OrderSources, { filter, status, before, limit }: PageQuery): OrderView[] {
  const isWorking = status === undefined || status === 'PENDING'
  const working = isWorking ? workingOf(desk, filter).filter(({ number }) => number < before) : []
  const past = status === 'PENDING' ? [] : desk.orderHistory.page({ ...filter, before, status, limit })
  // An order that finished meanwhile is in both, and its end counts.
  return mergeNewest([...working, ...past], limit)
}

function workingOf({ views }: OrderSources, { instrument, strategy, from, to }: OrderFilter): OrderView[] {
  return views
    .orders()
    .filter(
      (order) =>
        order.status === 'PENDING' &&
        (instrument === undefined || order.instrument === instrument) &&
        (strategy === undefined || order.strategy === strategy) &&
        (from === undefined || order.createdAt >= from) &&
        (to === undefined || order.createdAt < to),
    )
}

const COLUMNS = [
  'id',
  'created_at',
  'updated_at',
  'instrument',
  'side',
  'type',
  'time_in_force',
  'reduce_only',
  'quantity',
  'price',
  'filled_qty',
  'average_price',
  'fees',
  'status',
  'strategy',
  'strategy_name',
] as const

const EXPORT_PAGE = 500

/** A page per turn, so that other requests are answered meanwhile. */
async function* exportRows(
  desk: OrderSources,
  filter: OrderFilter,
  status: Status | undefined,
): AsyncGenerator<string> {
  yield csvRow([...COLUMNS, 'reason'])
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = pageOf(desk, { filter, status, before, limit: EXPORT_PAGE })
    yield page.map((order) => csvOf(order, desk)).join('')
    const last = page.at(EXPORT_PAGE - 1)
    if (last === undefined) return
    before = last.number
    await nextTurn()
  }
}

function csvOf(view: OrderView, { views }: OrderSources): string {
  const order = orderToWire(view, views)
  const cells = COLUMNS.map((column) => {
    const value = order[column]
    return typeof value === 'boolean' ? String(value) : (value ?? null)
  })
  return csvRow([...cells, order.reason?.sentence ?? null])
}
