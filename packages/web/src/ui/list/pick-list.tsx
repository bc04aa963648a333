import type { ReactNode } from 'react'
import classes from './pick-list.module.css'

export interface PickListProps {
  label: string
  children: ReactNode
}

/** A list whose selected item is shown beside it. */
export function PickList({ label, children }: PickListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

export interface PickItemProps {
  isPicked?: boolean
  onPick: () => void
  /** Phrasing content only: rendered inside a button. */
  children: ReactNode
}

export function PickItem({ isPicked = false, onPick, children }: PickItemProps) {
  return (
    <li>
      <button
        type="button"
        className={classes.item}
        aria-current={isPicked ? 'true' : undefined}
        onClick={onPick}
      >
        {children}
      </button>
    </li>
  )
}
