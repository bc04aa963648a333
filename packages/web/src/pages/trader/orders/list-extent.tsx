import type { Order } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { copy } from './copy.ts'
import classes from './list-extent.module.css'
import { canCancel } from './order-status.ts'

export interface ListExtentProps {
  orders: readonly Order[]
  /** These are not the latest, which is said above them. */
  isOlder: boolean
  /** Where older ones begin, if there are any. */
  nextCursor: string | undefined
}

/** ORD-20: what of all orders is shown, and the way to the rest. */
export function ListExtent({ orders, isOlder, nextCursor }: ListExtentProps) {
  if (isOlder && nextCursor === undefined) return null
  const finished = orders.filter((order) => !canCancel(order)).length
  return (
    <p className={classes.extent}>
      {!isOlder && copy.latestShown(formatQuantity(finished))}
      {nextCursor !== undefined && (
        <TextLink to={`${paths.orders}?before=${encodeURIComponent(nextCursor)}`}>{copy.older}</TextLink>
      )}
    </p>
  )
}
