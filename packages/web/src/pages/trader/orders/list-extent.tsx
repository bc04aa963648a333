import type { Order } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { copy } from './copy.ts'
import classes from './list-extent.module.css'
import { canCancel } from './order-status.ts'

export interface ListExtentProps {
  /** The latest. */
  orders: readonly Order[]
  /** Where older ones begin. */
  nextCursor: string
}

/** ORD-20: what of all orders is shown, and the way to the rest. */
export function ListExtent({ orders, nextCursor }: ListExtentProps) {
  const finished = orders.filter((order) => !canCancel(order)).length
  return (
    <p className={classes.extent}>
      {copy.latestShown(formatQuantity(finished))}
      <OlderLink before={nextCursor} />
    </p>
  )
}

/** Leads to the orders that were placed before this one. */
export function OlderLink({ before }: { before: string }) {
  return <TextLink to={`${paths.orders}?before=${encodeURIComponent(before)}`}>{copy.older}</TextLink>
}
