import type { ResultColumn, Row } from '@binnacle/contract'
import { type ComponentType, useMemo, useState } from 'react'
import { type DataColumn, DataTable, type ServerSort } from '#ui/list/data-table.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { cellText, columnNames, isLong, isNumeric, sortValue } from './cells.ts'
import classes from './rows-table.module.css'
import type { CellDetails, ValueDialogProps } from './value-dialog.tsx'

/** Lazy, because the dialog code is larger than the table. */
const ValueDialog = lazyPart(async () => (await import('./value-dialog.tsx')).ValueDialog)

export interface RowsTableProps {
  label: string
  rows: readonly Row[]
  columns?: readonly Pick<ResultColumn, 'name'>[] | undefined
  isPartial?: boolean
  serverSort?: ServerSort | undefined
  /** A separate chunk, which may fail to load; the table stays. */
  Dialog?: ComponentType<ValueDialogProps>
}

/** Rows of any shape. A value too long for its cell opens in a dialog. */
export function RowsTable(props: RowsTableProps) {
  const { label, rows, columns, isPartial = false, serverSort, Dialog = ValueDialog } = props
  const [opened, setOpened] = useState<CellDetails>()
  const close = () => setOpened(undefined)
  const shown = useMemo(
    () => columnNames(rows, columns).map((name) => dataColumn(name, isNumeric(rows, name), setOpened)),
    [rows, columns],
  )
  const numbered = useMemo(() => rows.map((row, number) => ({ row, number })), [rows])
  return (
    <>
      <DataTable
        label={label}
        columns={shown}
        rows={numbered}
        rowKey={numberOf}
        isPartial={isPartial}
        serverSort={serverSort}
      />
      <LazyBoundary resetKey={opened} onClose={opened && close}>
        <Dialog value={opened} onClose={close} />
      </LazyBoundary>
    </>
  )
}

interface IndexedRow {
  row: Row
  /** Row index: not every database supplies a key. */
  number: number
}

function numberOf({ number }: IndexedRow): number {
  return number
}

function dataColumn(
  name: string,
  isNumber: boolean,
  onOpen: (opened: CellDetails) => void,
): DataColumn<IndexedRow> {
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
      {text.slice(0, PREVIEW_MAX_CHARS)}
    </button>
  )
}

/** More than a cell shows. The rest of a large value is rendered only in the dialog. */
const PREVIEW_MAX_CHARS = 120
