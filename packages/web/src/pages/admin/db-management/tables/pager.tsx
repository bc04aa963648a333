import { Button } from '#ui/control/button.tsx'
import { copy } from './copy.ts'
import classes from './pager.module.css'
import type { Paging } from './paging.ts'

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
