import { DATA_PAGE_SIZE, type TableData } from '@binnacle/contract'

export interface Paging {
  /** Counted from 1, as people do. */
  number: number
  /** How many pages there are, marked when only estimated. */
  pages: string
  total: string
  hasPrevious: boolean
  hasNext: boolean
}

/** DB-9, DB-10, DB-12: an exact total ends the pages; where it is an estimate only a short page does. */
export function pagingOf(pageIndex: number, { rows, total, total_is_estimate }: TableData): Paging {
  const pages = Math.max(1, Math.ceil(total / DATA_PAGE_SIZE))
  const mark = total_is_estimate ? '≈' : ''
  return {
    number: pageIndex + 1,
    pages: `${mark}${pages}`,
    total: `${mark}${total.toLocaleString('en-US')}`,
    hasPrevious: pageIndex > 0,
    hasNext: total_is_estimate ? rows.length >= DATA_PAGE_SIZE : pageIndex + 1 < pages,
  }
}

/** A page that could not be read still has a way back. */
export function pagingWithoutRows(pageIndex: number): Paging {
  return { number: pageIndex + 1, pages: '?', total: '?', hasPrevious: pageIndex > 0, hasNext: false }
}
