import type { ReactNode } from 'react'
import classes from './table.module.css'

export interface TableProps {
  /** The accessible name. */
  label: string
  columns: readonly TableColumn[]
  children: ReactNode
}

export interface TableColumn {
  title: string
  align?: 'start' | 'end'
  /** Shown in place of a title for which there is no room. */
  short?: string
}

/** A short static table; long or polled lists use DataTable. */
export function Table({ label, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, short, align = 'start' }) => (
              <th key={title} scope="col" data-align={align}>
                <span className={short === undefined ? undefined : classes.hidden}>{title}</span>
                {short !== undefined && <span aria-hidden>{short}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

export interface CellProps {
  align?: 'start' | 'end'
  mono?: boolean
  children?: ReactNode
}

export function Cell({ align = 'start', mono = false, children }: CellProps) {
  return (
    <td data-align={align} data-mono={mono || undefined}>
      {children}
    </td>
  )
}
