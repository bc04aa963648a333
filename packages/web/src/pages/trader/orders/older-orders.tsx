import type { Order } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { canCancel } from '#ui/order/order-rules.ts'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './older-orders.module.css'
import { addressOf, type OrderListView } from './order-view.ts'

export interface OlderNoticeProps {
  /** The page shows the orders placed before this id. */
  before: string
  isEmpty: boolean
  /** The cursor of the next older page, if there is one. */
  nextCursor: string | undefined
}

/** ORD-21: above a page of older orders. */
export function OlderNotice({ before, isEmpty, nextCursor }: OlderNoticeProps) {
  return (
    <Notice tone="info" title={copy.olderTitle}>
      {isEmpty ? copy.noneBefore(before) : copy.beforeShown(before)}{' '}
      <span className={classes.links}>
        <TextLink to={paths.orders}>{copy.latest}</TextLink>
        {nextCursor !== undefined && <OlderLink before={nextCursor} />}
      </span>
    </Notice>
  )
}

export interface LatestNoteProps {
  orders: readonly Order[]
  /** The cursor of the next older page. */
  nextCursor: string
}

/** ORD-20: below the latest page: what it contains, and a link to older orders. */
export function LatestNote({ orders, nextCursor }: LatestNoteProps) {
  const finished = orders.filter((order) => !canCancel(order)).length
  return (
    <p className={classes.pager}>
      {copy.latestShown(formatQuantity(finished))}
      <OlderLink before={nextCursor} />
    </p>
  )
}

export interface HistoryPagerProps {
  view: OrderListView
  nextCursor: string | undefined
}

/** Below a page of the history. */
export function HistoryPager({ view, nextCursor }: HistoryPagerProps) {
  if (view.before === '' && nextCursor === undefined) return null
  return (
    <p className={classes.pager}>
      {view.before !== '' && <TextLink to={addressOf({ ...view, before: '' })}>{copy.latest}</TextLink>}
      {nextCursor !== undefined && (
        <TextLink to={addressOf({ ...view, before: nextCursor })}>{copy.older}</TextLink>
      )}
    </p>
  )
}

function OlderLink({ before }: { before: string }) {
  return <TextLink to={`${paths.orders}?before=${encodeURIComponent(before)}`}>{copy.older}</TextLink>
}
