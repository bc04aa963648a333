import { DATA_PAGE_SIZE, type TableData } from '@binnacle/contract'
import { formatNumber } from '#format/number.ts'
import { Button } from '#ui/control/button.tsx'
import { copy } from './copy.ts'
import classes from './pager.module.css'

export interface PagerProps {
  paging: Paging
  onPage: (pageIndex: number) => void
}

export function Pager({ paging, onPage }: PagerProps) {
  const pageIndex = paging.number - 1
  return (
    <div className={classes.pager}>
      <span className={classes.total}>{copy.total(paging.total)}</span>
      <Button disabled={!paging.hasPrevious} onClick={() => onPage(pageIndex - 1)}>
        {copy.previous}
      </Button>
      <span className={classes.page}>{copy.page(paging.number, paging.pages)}</span>
      <Button disabled={!paging.hasNext} onClick={() => onPage(pageIndex + 1)}>
        {copy.next}
      </Button>
    </div>
  )
}

export interface Paging {
  /** Counted from 1. */
  number: number
  /** Page count, marked with ≈ when estimated. */
  pages: string
  total: string
  hasPrevious: boolean
  hasNext: boolean
}

/** DB-9, DB-10, DB-12: an exact total gives the last page; with an estimate only a short page is the last. */
export function pagingOf(pageIndex: number, { rows, total, total_is_estimate }: TableData): Paging {
  const pages = Math.max(1, Math.ceil(total / DATA_PAGE_SIZE))
  const mark = total_is_estimate ? '≈' : ''
  return {
    number: pageIndex + 1,
    pages: `${mark}${pages}`,
    total: `${mark}${formatNumber(total)}`,
    hasPrevious: pageIndex > 0,
    hasNext: total_is_estimate ? rows.length >= DATA_PAGE_SIZE : pageIndex + 1 < pages,
  }
}

/** A page that failed to load still has a Prev button. */
export function pagingWithoutRows(pageIndex: number): Paging {
  return { number: pageIndex + 1, pages: '?', total: '?', hasPrevious: pageIndex > 0, hasNext: false }
}
