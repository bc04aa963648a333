import type { ReactNode } from 'react'
import classes from './entry-list.module.css'

export interface EntryListProps {
  /** The accessible name. */
  label: string
  children: ReactNode
}

/** Entries with a status and actions; columns align on a wide screen, a phone puts the actions below. */
export function EntryList({ label, children }: EntryListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

export interface EntryProps {
  name: string
  /** A short description, dimmed. */
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
