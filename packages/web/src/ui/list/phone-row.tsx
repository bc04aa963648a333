import type { ReactNode } from 'react'
import classes from './phone-row.module.css'

/** A row on a phone: two lines with the deciding figure at the right, further values, a sentence and the buttons below. */
export interface PhoneRow {
  title: ReactNode
  id: ReactNode
  figure: ReactNode
  detail: ReactNode
  /** At the right of the detail. */
  status: ReactNode
  more?: ReactNode
  note?: ReactNode
  actions?: ReactNode
}

export function PhoneRowCells({ title, id, figure, detail, status, more, note, actions }: PhoneRow) {
  return (
    <>
      <td className={classes.title}>
        <b>{title}</b> <span className={classes.id}>{id}</span>
      </td>
      <td className={classes.figure}>{figure}</td>
      <td className={classes.detail}>{detail}</td>
      <td className={classes.status}>{status}</td>
      {more && <td className={classes.line}>{more}</td>}
      {note && <td className={`${classes.line} ${classes.note}`}>{note}</td>}
      {actions && <td className={classes.actions}>{actions}</td>}
    </>
  )
}
