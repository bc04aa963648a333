import type { Anchor, Key } from './driver.ts'

/** How to read a page: direction, starting key, and rows to skip. */
export interface PagePlan {
  /** Backward reads in the opposite order and reverses the rows afterwards. */
  isBackward: boolean
  key?: Key | undefined
  skip: number
  take: number
}

interface PageRange {
  limit: number
  offset: number
  anchor?: Anchor | undefined
  /** The exact number of rows; undefined for an estimate, which rules out reading from the end. */
  total?: number | undefined
}

/** Chooses the cheapest way to the rows: from a neighbouring key, the beginning or the end. */
export function planPage({ limit, offset, anchor, total }: PageRange): PagePlan {
  if (total !== undefined && offset >= total) return { isBackward: false, skip: 0, take: 0 }
  if (anchor !== undefined) {
    return { isBackward: anchor.side === 'before', key: anchor.key, skip: 0, take: limit }
  }
  if (total === undefined || offset <= total / 2) return { isBackward: false, skip: offset, take: limit }
  const skip = Math.max(0, total - offset - limit)
  return { isBackward: true, skip, take: total - offset - skip }
}
