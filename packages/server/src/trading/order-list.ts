import { idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { orderNumber } from '#storage/orders/order-history.ts'

export interface OrderPage {
  limit?: number | undefined
  status?: OrderView['status'] | undefined
  cursor?: string | undefined
}

/** As many as a list shows when nobody says how many. */
const USUAL_PAGE = 500

/** Lists orders, newest first: from the views as far as they go, from the history what finished before. */
export function listOrders({ views, pastOrders }: DeskHost, page: OrderPage): readonly OrderView[] | Refused {
  const { limit, status, cursor } = page
  if (limit === undefined && status === undefined && cursor === undefined) return views.orders()
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : orderNumber(cursor)
  if (before === undefined) return unknownCursor(cursor)
  const shown = views.orders().filter((order) => order.number < before && isOf(order, status))
  if (status === 'PENDING') return shown.slice(0, limit)
  const size = limit ?? USUAL_PAGE
  return newest([...pastOrders.page({ before, status, limit: size }), ...shown], size)
}

/**
 * Returns the cursor of the orders that a list leaves out, or undefined when it leaves out none. Orders are numbered
 * from 1 without a gap, so the first number missing tells; a list of one status misses others on purpose.
 */
export function nextCursor(
  desk: Known,
  { status, cursor }: OrderPage,
  listed: readonly OrderView[],
): string | undefined {
  if (status !== undefined) return undefined
  let missing = cursor === undefined ? newestNumber(desk, listed) : (listed[0]?.number ?? 0)
  for (const { number } of listed) {
    if (number !== missing) break
    missing -= 1
  }
  return missing >= 1 ? idOf(missing + 1) : undefined
}

type Known = Pick<DeskHost, 'views' | 'pastOrders'>

/** The newest order may have finished before the latest 500 did, or so early that only the history knows it. */
function newestNumber({ views, pastOrders }: Known, listed: readonly OrderView[]): number {
  const isWhole = listed.length < USUAL_PAGE
  const [past] = isWhole ? [] : pastOrders.page({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
  let newest = Math.max(listed[0]?.number ?? 0, past?.number ?? 0)
  while (views.order(idOf(newest + 1)) !== null) newest += 1
  return newest
}

function idOf(number: number): OrderId {
  return idFrom<OrderId>(`O-${number}`)
}

function isOf(order: OrderView, status: OrderPage['status']): boolean {
  return status === undefined || order.status === status
}

/** Of an order that is in both places the views' one counts: it is what was shown before. */
function newest(orders: readonly OrderView[], size: number): OrderView[] {
  const byNumber = new Map(orders.map((order) => [order.number, order]))
  return [...byNumber.values()].sort((one, other) => other.number - one.number).slice(0, size)
}

function unknownCursor(cursor: string | undefined): Refused {
  const message = `must be the id of an order, and '${cursor}' is none`
  return new Refused('request.invalid', `query.cursor: ${message}. Take the id of the last order listed.`, [
    { field: 'query.cursor', message },
  ])
}
