import type { ReactNode } from 'react'
import classes from './grid.module.css'

export interface GridProps {
  /** The narrowest a cell may get before the row breaks. */
  min?: 'narrow' | 'medium' | 'wide'
  children: ReactNode
}

/** Cells of equal width, as many to a row as fit. */
export function Grid({ min = 'medium', children }: GridProps) {
  return (
    <div className={classes.grid} data-min={min}>
      {children}
    </div>
  )
}

export interface RowProps {
  align?: 'start' | 'end' | 'between'
  children: ReactNode
}

/** Small things side by side, wrapping. */
export function Row({ align = 'start', children }: RowProps) {
  return (
    <div className={classes.row} data-align={align}>
      {children}
    </div>
  )
}
