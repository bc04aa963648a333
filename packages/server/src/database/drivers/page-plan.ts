import type { Anchor, Key } from './driver.ts'

/** How to read a page: in which direction, from which key on, and how many rows to pass over first. */
export interface PagePlan {
  /** Backward reads the rows in the opposite order and turns them round afterwards. */
  isBackward: boolean
  key?: Key | undefined
  skip: number
  take: number
}

interface Wanted {
  limit: number
  offset: number
  anchor?: Anchor | undefined
  /** The exact number of rows; undefined when only an estimate is known, so nothing can be read from the end. */
  total?: number | undefined
}

/** Turns an offset into the nearest way to its rows: a neighbour's key, the beginning, or the end. */
export function planPage({ limit, offset, anchor, total }: Wanted): PagePlan {
  if (total !== undefined && offset >= total) return { isBackward: false, skip: 0, take: 0 }
  if (anchor !== undefined) {
    return { isBackward: anchor.side === 'before', key: anchor.key, skip: 0, take: limit }
  }
  if (total === undefined || offset <= total / 2) return { isBackward: false, skip: offset, take: limit }
  const skip = Math.max(0, total - offset - limit)
  return { isBackward: true, skip, take: total - offset - skip }
}
