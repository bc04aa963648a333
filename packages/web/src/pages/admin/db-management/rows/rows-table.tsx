import type { ResultColumn, Row } from '@binnacle/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { cellText, isLong, sortValue } from './cell-text.ts'
import { columnNames, isNumeric } from './result-columns.ts'
import classes from './rows-table.module.css'
import type { OpenedValue } from './value-dialog.tsx'

/** Dialogs weigh more than the rows, so this one comes after them. */
const ValueDialog = lazy(async () => ({ default: (await import('./value-dialog.tsx')).ValueDialog }))

export interface RowsTableProps {
  label: string
  rows: readonly Row[]
  columns?: readonly Pick<ResultColumn, 'name'>[] | undefined
  isPage?: boolean
}

/** Rows whose shape only the database knows. A value too long for its cell opens in full. */
export function RowsTable({ label, rows, columns, isPage = false }: RowsTableProps) {
  const [opened, setOpened] = useState<OpenedValue>()
  const shown = useMemo(
    () => columnNames(rows, columns).map((name) => dataColumn(name, isNumeric(rows, name), setOpened)),
    [rows, columns],
  )
  const numbered = useMemo(() => rows.map((row, number) => ({ row, number })), [rows])
  return (
    <>
      <DataTable label={label} columns={shown} rows={numbered} rowKey={numberOf} isPage={isPage} />
      <Suspense fallback={null}>
        <ValueDialog value={opened} onClose={() => setOpened(undefined)} />
      </Suspense>
    </>
  )
}

interface NumberedRow {
  row: Row
  /** Rows have no key of their own that every database would give. */
  number: number
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
