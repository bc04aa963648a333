import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { OlderLink } from './list-extent.tsx'
import classes from './older-notice.module.css'

export interface OlderNoticeProps {
  /** The page goes back from this order. */
  before: string
  /** Nothing is left there. */
  isEmpty: boolean
  /** Where still older ones begin, if there are any. */
  nextCursor: string | undefined
}

/** ORD-21: nobody takes older orders for all there are, or waits here for a new one. */
export function OlderNotice({ before, isEmpty, nextCursor }: OlderNoticeProps) {
  return (
    <Notice tone="info" title={copy.olderTitle}>
      {isEmpty ? copy.noneBefore(before) : copy.beforeShown(before)}{' '}
      <span className={classes.ways}>
        <TextLink to={paths.orders}>{copy.latest}</TextLink>
        {nextCursor !== undefined && <OlderLink before={nextCursor} />}
      </span>
    </Notice>
  )
}
