import type { Order } from '@binnacle/contract'

type OrderCounts = Readonly<Record<string, number>>

const countsOf = new WeakMap<readonly Order[], OrderCounts>()

/** How many orders have each status. STREAM-263: counted once per list, which may have ten thousand orders. */
export function countByStatus(orders: readonly Order[]): OrderCounts {
  const known = countsOf.get(orders)
  if (known !== undefined) return known
  const counts: Record<string, number> = {}
  for (const { status } of orders) counts[status] = (counts[status] ?? 0) + 1
  countsOf.set(orders, counts)
  return counts
}
