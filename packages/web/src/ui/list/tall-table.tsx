import type { ReactNode } from 'react'
import { Table, type TableProps } from './table.tsx'
import classes from './tall-table.module.css'

/** Rows of two lines with their actions. On a phone a row is a block, and `data-label` names its figures. */
export function TallTable(props: Omit<TableProps, 'className'>) {
  return <Table {...props} className={classes.tall} />
}

export interface TallRowProps {
  isSelected: boolean
  children: ReactNode
}

export function TallRow({ isSelected, children }: TallRowProps) {
  return <tr data-selected={isSelected || undefined}>{children}</tr>
}

export interface NameCellProps {
  name: string
  /** Below the name, dimmed. */
  note: ReactNode
  isSelected: boolean
  onSelect: () => void
}

/** The name chooses its row. */
export function NameCell({ name, note, isSelected, onSelect }: NameCellProps) {
  return (
    <td>
      <button type="button" className={classes.name} aria-pressed={isSelected} onClick={onSelect}>
        {name}
      </button>
      <small>{note}</small>
    </td>
  )
}

interface CellContent {
  children: ReactNode
}

export function SparkCell({ children }: CellContent) {
  return <td className={classes.spark}>{children}</td>
}

export function ActionsCell({ children }: CellContent) {
  return <td className={classes.actions}>{children}</td>
}
