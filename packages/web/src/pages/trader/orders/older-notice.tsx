import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'

export interface OlderNoticeProps {
  /** The page goes back from this order. */
  before: string
  /** Nothing is left there. */
  isEmpty: boolean
}

/** ORD-21: nobody takes older orders for all there are, or waits here for a new one. */
export function OlderNotice({ before, isEmpty }: OlderNoticeProps) {
  return (
    <Notice tone="info" title={copy.olderTitle}>
      {isEmpty ? copy.noneBefore(before) : copy.beforeShown(before)}{' '}
      <TextLink to={paths.orders}>{copy.latest}</TextLink>
    </Notice>
  )
}
