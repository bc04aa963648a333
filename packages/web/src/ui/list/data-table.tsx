import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { TextField } from '#ui/control/field.tsx'
import classes from './data-table.module.css'
import { arrangeRows, type SortOrder, toggleSort } from './row-order.ts'
import stackedClasses from './stacked-rows.module.css'
import tableClasses from './table.module.css'

export interface DataColumn<Row> {
  title: string
  align?: 'start' | 'end'
  mono?: boolean
  /** Stays in sight on a phone while the other columns scroll sideways: for buttons one may need at once. */
  pinned?: boolean
  /** The grid area of a row of several lines and four columns where it stands on a phone: none scrolls sideways. */
  onPhone?: string
  /** Where its title stands there, if not over its values: their head needs fewer lines then. */
  titleOnPhone?: string
  /** Its values say by themselves what they are, so on a phone its title shares one line with others alike. */
  tellsItself?: boolean
  /** What sorting and filtering read; a column without it does neither. */
  value?: (row: Row) => string | number | null | undefined
  cell: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  label: string
  /** Must keep its identity between renders, or every row renders at every poll. */
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** One page of many: sorting and filtering see no other rows, and the field says so. */
  isPage?: boolean
}

const USUAL_ROW_PX = 32
/** Below this a plain table is smoother than a window over one. */
const VIRTUAL_FROM_ROWS = 200

/** A list that sorts, filters and keeps its place while it is polled; 100,000 rows stay smooth. */
export function DataTable<Row>({ label, columns, rows, rowKey, isPage }: DataTableProps<Row>) {
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<SortOrder>()
  const shown = useMemo(() => arrangeRows(rows, columns, { filter, sort }), [rows, columns, filter, sort])
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <div className={classes.filter}>
          <TextField
            label={`Filter ${label.toLowerCase()}`}
            labelHidden
            type="search"
            placeholder={isPage ? 'Filter this page' : 'Filter'}
            value={filter}
            onChange={setFilter}
          />
        </div>
        <span>{countOf(shown.length, rows.length)}</span>
      </div>
      <RowWindow label={label} columns={columns} rows={shown} rowKey={rowKey}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell
                key={column.title}
                column={column}
                sort={sort}
                onSort={() => setSort(toggleSort(sort, column.title))}
              />
            ))}
          </tr>
        </thead>
      </RowWindow>
    </div>
  )
}

function countOf(shown: number, all: number): string {
  const noun = all === 1 ? 'row' : 'rows'
  const total = `${all.toLocaleString('en-US')} ${noun}`
  return shown === all ? total : `${shown.toLocaleString('en-US')} of ${total}`
}

interface HeadCellProps<Row> {
  column: DataColumn<Row>
  sort: SortOrder | undefined
  onSort: () => void
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const direction = sort?.title === column.title ? sort.direction : undefined
  return (
    <th
      scope="col"
      data-align={column.align}
      data-tells-itself={column.tellsItself}
      className={column.pinned ? classes.pinned : undefined}
      style={{ gridArea: column.titleOnPhone ?? column.onPhone }}
      aria-sort={direction}
    >
      {column.value ? (
        <button type="button" className={classes.sort} onClick={onSort}>
          {column.title}
          <span aria-hidden className={classes.arrow}>
            {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}
          </span>
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}

interface RowWindowProps<Row> extends DataTableProps<Row> {
  children: ReactNode
}

function RowWindow<Row>({ label, columns, rows, rowKey, children }: RowWindowProps<Row>) {
  const scroll = useRef<HTMLElement>(null)
  const isStacked = columns.some(({ onPhone }) => onPhone !== undefined)
  const [rowHeight] = useState(() => readRowHeight(isStacked))
  const isVirtual = rows.length >= VIRTUAL_FROM_ROWS
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const visible = virtualizer.getVirtualItems()
  const first = isVirtual ? (visible[0]?.index ?? 0) : 0
  const end = isVirtual ? (visible.at(-1)?.index ?? -1) + 1 : rows.length
  return (
    <section
      ref={scroll}
      className={`${tableClasses.scroll} ${isVirtual ? classes.window : ''}`}
      aria-label={`${label}, scrollable`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table
        className={`${tableClasses.table} ${isStacked ? stackedClasses.stacked : ''}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        {children}
        <tbody>
          <Spacer height={first * rowHeight} columns={columns.length} />
          {rows.slice(first, end).map((row) => (
            <DataRow key={rowKey(row)} row={row} columns={columns} />
          ))}
          <Spacer height={(rows.length - end) * rowHeight} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

interface DataRowProps<Row> {
  row: Row
  columns: readonly DataColumn<Row>[]
}

function PlainDataRow<Row>({ row, columns }: DataRowProps<Row>) {
  return (
    <tr>
      {columns.map((column) => (
        <td
          key={column.title}
          data-align={column.align}
          data-mono={column.mono}
          className={column.pinned ? classes.pinned : undefined}
          style={{ gridArea: column.onPhone }}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

// memo() forgets that the component is generic; the cast gives it back.
const DataRow = memo(PlainDataRow) as typeof PlainDataRow

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden className={classes.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

/** Rows are higher on a phone, where a thumb has to hit them or where they have several lines; tokens.css says how high. */
function readRowHeight(isStacked: boolean): number {
  const name = isStacked ? '--row-stacked' : '--row'
  const token = getComputedStyle(document.documentElement).getPropertyValue(name)
  return Number.parseFloat(token) || USUAL_ROW_PX
}
