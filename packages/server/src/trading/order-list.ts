import { type Desk, idFrom, MAX_LISTED_FINISHED, type OrderId, type OrderView } from '@binnacle/engine'
import { Refused } from '#http/problems.ts'
import { orderNumber } from '#storage/orders/order-history.ts'

export interface OrderPage {
  limit?: number | undefined
  status?: OrderView['status'] | undefined
  cursor?: string | undefined
}

/** Lists orders, newest first: from the rows as far as they go, from the history what finished before. */
export function listOrders(desk: OrderSources, page: OrderPage): readonly OrderView[] | Refused {
  const { views, orderHistory } = desk
  const { limit, status, cursor } = page
  const before = orderBound(cursor, desk)
  if (before instanceof Refused) return before
  if (isDefaultList(page))
    return cursor === undefined ? views.orders() : findUnlisted(desk, before, MAX_LISTED_FINISHED)
  const shown = views.orders().filter((order) => order.number < before && isOf(order, status))
  if (status === 'PENDING') return shown.slice(0, limit)
  const size = limit ?? MAX_LISTED_FINISHED
  return mergeNewest([...orderHistory.page({ before, status, limit: size }), ...shown], size)
}

/** The number below which a page starts, or the refusal of an invalid cursor. */
export function orderBound(cursor: string | undefined, { views }: Pick<Desk, 'views'>): number | Refused {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  // Ids of another engine have no number in them.
  return orderNumber(cursor) ?? views.order(idFrom<OrderId>(cursor))?.number ?? unknownCursor(cursor)
}

/**
 * Returns the cursor of the orders that a list leaves out, or undefined when it leaves out none. Orders are numbered
 * from 1 without a gap, so the first missing number decides. A list filtered by status has no cursor: GET
 * /api/order-history pages through those.
 */
export function nextCursor(
  desk: OrderSources,
  page: OrderPage,
  listed: readonly OrderView[],
): string | undefined {
  const { status, cursor } = page
  if (status !== undefined) return undefined
  if (isDefaultList(page) && cursor !== undefined) return cursorAfter(desk, listed)
  let missing = cursor === undefined ? newestNumber(desk, listed) : (listed[0]?.number ?? 0)
  for (const { number } of listed) {
    if (number !== missing) break
    missing -= 1
  }
  return missing >= 1 ? idOf(missing + 1) : undefined
}

type OrderSources = Pick<Desk, 'views' | 'orderHistory'>

/** The list that screens show, whose first page has every open order and those that finished last, however old. */
function isDefaultList({ limit, status }: OrderPage): boolean {
  return limit === undefined && status === undefined
}

/** Orders that the first page of the default list does not have: of any number, and all of them finished. */
function findUnlisted({ views, orderHistory }: OrderSources, before: number, size: number): OrderView[] {
  const listed = new Set(views.orders().map(({ number }) => number))
  const found: OrderView[] = []
  for (let from: number | undefined = before; from !== undefined && found.length < size; ) {
    const past = orderHistory.page({ before: from, limit: MAX_LISTED_FINISHED })
    found.push(...past.filter(({ number }) => !listed.has(number)))
    from = past.at(MAX_LISTED_FINISHED - 1)?.number
  }
  return found.slice(0, size)
}

function cursorAfter(desk: OrderSources, listed: readonly OrderView[]): string | undefined {
  const last = listed.at(MAX_LISTED_FINISHED - 1)
  return last !== undefined && findUnlisted(desk, last.number, 1).length > 0 ? last.id : undefined
}

/** The newest order may have finished before the latest 500 did, or so early that only the history knows it. */
function newestNumber({ views, orderHistory }: OrderSources, listed: readonly OrderView[]): number {
  const isWhole = listed.length < MAX_LISTED_FINISHED
  const [past] = isWhole ? [] : orderHistory.page({ before: Number.MAX_SAFE_INTEGER, limit: 1 })
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

/** The newest orders, each once. Of an order that is in the list twice the last one counts, so rows come after the history. */
export function mergeNewest(orders: readonly OrderView[], size: number): OrderView[] {
  const byNumber = new Map(orders.map((order) => [order.number, order]))
  return [...byNumber.values()].sort((one, other) => other.number - one.number).slice(0, size)
}

function unknownCursor(cursor: string): Refused {
  const message = `must be the id of an order, not '${cursor}'`
  return new Refused(
    'request.invalid',
    `query.cursor: ${message}. Take the next_cursor of the page before.`,
    [{ field: 'query.cursor', message }],
  )
}
