import type { ReactNode } from 'react'
import classes from './split.module.css'

export interface SplitProps {
  side: ReactNode
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** A list beside the selected item; on a narrow screen one above the other. */
export function Split({ side, width = 'wide', children }: SplitProps) {
  return (
    <div className={classes.split} data-width={width}>
      <div className={classes.column}>{side}</div>
      <div className={classes.column}>{children}</div>
    </div>
  )
}
