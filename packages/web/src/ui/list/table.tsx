import type { ReactNode } from 'react'
import { ScrollBox } from '#ui/frame/scroll-box.tsx'
import classes from './table.module.css'

export interface TableProps {
  /** The accessible name. */
  label: string
  columns: readonly TableColumn[]
  /** Added to the table's own. */
  className?: string | undefined
  children: ReactNode
}

export interface TableColumn {
  title: string
  align?: 'start' | 'end'
  /** Shown in place of a title for which there is no room. */
  short?: string
}

/** A short static table; long or polled lists use DataTable. */
export function Table({ label, columns, className, children }: TableProps) {
  return (
    <ScrollBox className={classes.scroll} isTable>
      <table className={[classes.table, className].join(' ')} aria-label={label}>
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
    </ScrollBox>
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
