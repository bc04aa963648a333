import type { ReactNode } from 'react'
import classes from './entry-list.module.css'

export interface EntryListProps {
  /** What is listed, for those who do not see it. */
  label: string
  children: ReactNode
}

/** Named things with a state and their actions; columns align on a desk, a phone puts the actions below. */
export function EntryList({ label, children }: EntryListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

export interface EntryProps {
  name: string
  /** A dim word about what it is. */
  note?: ReactNode
  status?: ReactNode
  children?: ReactNode
}

export function Entry({ name, note, status, children }: EntryProps) {
  return (
    <li className={classes.entry}>
      <span className={classes.name}>{name}</span>
      <span className={classes.note}>{note}</span>
      <span className={classes.status}>{status}</span>
      <div className={classes.actions}>{children}</div>
    </li>
  )
}
