import type { ReactNode } from 'react'
import classes from './grid.module.css'

export interface GridProps {
  /** The minimum width of a cell. */
  min?: 'narrow' | 'medium' | 'wide'
  children: ReactNode
}

/** Cells of equal width, as many per row as fit. */
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

/** A row that wraps. */
export function Row({ align = 'start', children }: RowProps) {
  return (
    <div className={classes.row} data-align={align}>
      {children}
    </div>
  )
}
