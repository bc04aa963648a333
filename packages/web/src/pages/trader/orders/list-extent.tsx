import type { Order } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { copy } from './copy.ts'
import classes from './list-extent.module.css'
import { canCancel } from './order-status.ts'

export interface ListExtentProps {
  orders: readonly Order[]
  /** These are the orders placed before this one, not the latest. */
  before: string | undefined
  /** Where older ones begin, if there are any. */
  nextCursor: string | undefined
}

/** ORD-20: what of all orders is shown, and the way to the rest. */
export function ListExtent({ orders, before, nextCursor }: ListExtentProps) {
  return (
    <p className={classes.extent}>
      {shownWords(orders, before)}
      {nextCursor !== undefined && (
        <TextLink to={`${paths.orders}?before=${encodeURIComponent(nextCursor)}`}>{copy.older}</TextLink>
      )}
      {before !== undefined && <TextLink to={paths.orders}>{copy.latest}</TextLink>}
    </p>
  )
}

function shownWords(orders: readonly Order[], before: string | undefined): string {
  if (before !== undefined) return orders.length === 0 ? copy.noneBefore(before) : copy.beforeShown(before)
  return copy.latestShown(formatQuantity(orders.filter((order) => !canCancel(order)).length))
}
