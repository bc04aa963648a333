import type { ResultColumn, Row } from '@binnacle/contract'
import { useMemo, useState } from 'react'
import { Dialog } from '#ui/control/dialog.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { cellText, isLong, sortValue } from './cell-text.ts'
import { columnNames, isNumeric } from './result-columns.ts'
import classes from './rows-table.module.css'

export interface RowsTableProps {
  label: string
  rows: readonly Row[]
  columns?: readonly Pick<ResultColumn, 'name'>[] | undefined
}

/** Rows whose shape only the database knows. A value too long for its cell opens in full. */
export function RowsTable({ label, rows, columns }: RowsTableProps) {
  const [opened, setOpened] = useState<OpenedValue>()
  const shown = useMemo(
    () => columnNames(rows, columns).map((name) => dataColumn(name, isNumeric(rows, name), setOpened)),
    [rows, columns],
  )
  const numbered = useMemo(() => rows.map((row, number) => ({ row, number })), [rows])
  return (
    <>
      <DataTable label={label} columns={shown} rows={numbered} rowKey={numberOf} />
      <Dialog
        title={opened?.name ?? label}
        size="large"
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
      >
        <pre className={classes.full}>{opened?.text}</pre>
      </Dialog>
    </>
  )
}

interface NumberedRow {
  row: Row
  /** Rows have no key of their own that every database would give. */
  number: number
}

interface OpenedValue {
  name: string
  text: string
}

function numberOf({ number }: NumberedRow): number {
  return number
}

function dataColumn(
  name: string,
  isNumber: boolean,
  onOpen: (opened: OpenedValue) => void,
): DataColumn<NumberedRow> {
  return {
    title: name,
    align: isNumber ? 'end' : 'start',
    value: ({ row }) => sortValue(row[name]),
    cell: ({ row }) => <CellValue value={row[name]} onOpen={(text) => onOpen({ name, text })} />,
  }
}

interface CellValueProps {
  value: unknown
  onOpen: (text: string) => void
}

function CellValue({ value, onOpen }: CellValueProps) {
  if (value === null) return <em className={classes.null}>null</em>
  const text = cellText(value)
  if (!isLong(text)) return text
  return (
    <button type="button" className={classes.long} onClick={() => onOpen(text)}>
      {text.slice(0, SHOWN_CHARACTERS)}
    </button>
  )
}

/** More than a cell has room for; the rest of a large value need not be laid out in every row. */
const SHOWN_CHARACTERS = 120
