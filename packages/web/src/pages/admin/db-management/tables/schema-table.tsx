import type { Column } from '@binnacle/contract'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'

export interface SchemaTableProps {
  columns: readonly Column[]
}

const heads = [
  { title: copy.columns.cid, align: 'end' },
  { title: copy.columns.name },
  { title: copy.columns.type },
  { title: copy.columns.notnull },
  { title: copy.columns.pk },
] as const

export function SchemaTable({ columns }: SchemaTableProps) {
  return (
    <Table label={copy.schema} columns={heads}>
      {columns.map((column, index) => (
        <tr key={column.name}>
          <Cell align="end">{column.cid ?? index}</Cell>
          <Cell mono>{column.name}</Cell>
          <Cell mono>{column.type}</Cell>
          <Cell>{column.notnull === 1 ? copy.yes : copy.no}</Cell>
          <Cell>{keyText(column.pk)}</Cell>
        </tr>
      ))}
    </Table>
  )
}

/** A column of a compound key shows its position in the key. */
function keyText(position: number): string {
  if (position === 0) return copy.no
  return position === 1 ? copy.yes : `${copy.yes} (${position})`
}
