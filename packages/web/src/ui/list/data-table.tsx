import { measureElement, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type Ref, useMemo, useRef, useState } from 'react'
import { formatNumber } from '#format/number.ts'
import { TextField } from '#ui/control/field.tsx'
import { useIsPhone } from '#ui/look/use-is-phone.ts'
import classes from './data-table.module.css'
import phoneClasses from './phone-row.module.css'
import { type PhoneRow, PhoneRowCells } from './phone-row.tsx'
import { holdOrder, type SortOrder, sortAndFilter, toggleSort } from './row-order.ts'
import { useSteadyColumns } from './steady-columns.ts'
import tableClasses from './table.module.css'

export interface DataColumn<Row> {
  title: string
  align?: 'start' | 'end'
  mono?: boolean
  /** Stays visible while the other columns scroll sideways. */
  pinned?: boolean
  /** SHELL-62: left out where the table is narrow, the columns with 1 first. */
  hideOrder?: 1 | 2 | 3 | 4
  /** Read by sorting and filtering; a column without it supports neither. */
  value?: (row: Row) => string | number | null | undefined
  /** The shown text, for the filter, where the cell is not plain text. */
  text?: (row: Row) => string
  cell: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  label: string
  /** Must be memoised, or every row renders at every poll. */
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** One page of many: sorting and filtering apply to this page only, and the field says so. */
  isPartial?: boolean
  /** Of rows that look different from others; not on a phone. Must be memoised. */
  rowClass?: ((row: Row) => string | undefined) | undefined
  /** Replaces the columns on a phone, where the table has no head. Must be memoised. */
  phoneRow?: ((row: Row) => PhoneRow) | undefined
  /** For rows that the server sorts: a click on a title is passed on, and the rows stay as they came. */
  serverSort?: ServerSort | undefined
}

export interface ServerSort {
  order: SortOrder | undefined
  onChange: (order: SortOrder | undefined) => void
}

const DEFAULT_ROW_PX = 32
/** Shorter lists render in full. */
const VIRTUAL_FROM_ROWS = 200
/** Rendered above and below the visible rows: more than a step of the wheel. Each costs layout and paint in every frame. */
const OVERSCAN_ROWS = 4

/** A table with sorting and filtering that keeps its scroll position while polled; virtualised for long lists. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowClass, isPartial, serverSort } = props
  const isPhone = useIsPhone()
  const phoneRow = isPhone ? props.phoneRow : undefined
  const [filter, setFilter] = useState('')
  const [pageSort, setPageSort] = useState<SortOrder>()
  const { order: sort, onChange: setSort } = serverSort ?? { order: pageSort, onChange: setPageSort }
  const localSort = serverSort ? undefined : pageSort
  const shown = useMemo(
    () => sortAndFilter(rows, columns, { filter, sort: localSort }),
    [rows, columns, filter, localSort],
  )
  const [held, setHeld] = useState<readonly (string | number)[]>()
  const arranged = useMemo(() => (held ? holdOrder(shown, held, rowKey) : shown), [shown, held, rowKey])
  // A row that is aimed at must not move away under the pointer or the focus.
  const hold = (isHeld: boolean) => setHeld(isHeld ? (held ?? shown.map(rowKey)) : undefined)
  return (
    <div className={classes.frame} data-table>
      <div className={classes.bar}>
        <div className={classes.filter}>
          <TextField
            label={`Filter ${label.toLowerCase()}`}
            labelHidden
            type="search"
            placeholder={isPartial ? 'Filter this page' : 'Filter'}
            value={filter}
            onChange={setFilter}
          />
        </div>
        <span>{countOf(shown.length, rows.length)}</span>
      </div>
      <RowWindow
        label={label}
        columns={columns}
        rows={arranged}
        rowKey={rowKey}
        rowClass={rowClass}
        phoneRow={phoneRow}
        onHold={hold}
      >
        {!phoneRow && (
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
        )}
      </RowWindow>
    </div>
  )
}

function countOf(shown: number, all: number): string {
  const noun = all === 1 ? 'row' : 'rows'
  const total = `${formatNumber(all)} ${noun}`
  return shown === all ? total : `${formatNumber(shown)} of ${total}`
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
      data-hide-order={column.hideOrder}
      className={column.pinned ? classes.pinned : undefined}
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

/** 0021: the server renders the rows of a usual window, since it has none to measure. */
const SERVER_WINDOW = typeof document === 'undefined' ? { initialRect: { width: 0, height: 800 } } : {}

interface RowWindowProps<Row> extends DataTableProps<Row> {
  /** Called when the pointer or the focus enters the rows, and with false when both have left. */
  onHold: (isHeld: boolean) => void
  children: ReactNode
}

function RowWindow<Row>(props: RowWindowProps<Row>) {
  const { label, columns, rows, rowKey, rowClass, phoneRow, onHold, children } = props
  const scroll = useRef<HTMLElement>(null)
  const [rowHeight] = useState(readRowHeight)
  const isVirtual = rows.length >= VIRTUAL_FROM_ROWS
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    ...SERVER_WINDOW,
    // STREAM-58: the observer reports the height of a new row once it is laid out; reading it before would force a layout.
    measureElement: (element, entry, instance) =>
      entry === undefined
        ? (instance.itemSizeCache.get(instance.indexFromElement(element)) ?? rowHeight)
        : measureElement(element, entry, instance),
  })
  useSteadyColumns(scroll, isVirtual && !phoneRow)
  const rendered = useRef(rows)
  const added = rows.length - rendered.current.length
  // STREAM-59: the browser is going to scroll by the rows that were added above, so that those in view stay where they are.
  // Rendering for the offset before would mount the added rows for one frame.
  if (isVirtual && added > 0 && keepsRowsInView() && virtualizer.scrollOffset && virtualizer.range) {
    const { startIndex } = virtualizer.range
    const [before, now] = [rendered.current[startIndex], rows[startIndex + added]]
    if (before !== undefined && now !== undefined && rowKey(before) === rowKey(now))
      virtualizer.scrollOffset += added * rowHeight
  }
  rendered.current = rows
  const visible = virtualizer.getVirtualItems()
  const [first, last] = [visible[0], visible.at(-1)]
  const start = first?.index ?? 0
  const end = isVirtual ? (last?.index ?? -1) + 1 : rows.length
  return (
    <section
      ref={scroll}
      className={`${tableClasses.scroll} ${isVirtual ? classes.window : ''}`}
      aria-label={`${label}, scrollable`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table
        className={phoneRow ? phoneClasses.table : tableClasses.table}
        aria-label={label}
        aria-rowcount={rows.length + (phoneRow ? 0 : 1)}
      >
        {children}
        <tbody
          onMouseEnter={() => onHold(true)}
          onFocus={() => onHold(true)}
          onMouseLeave={({ currentTarget }) => onHold(currentTarget.contains(document.activeElement))}
          onBlur={({ currentTarget }) => onHold(currentTarget.matches(':hover'))}
        >
          <Spacer height={first?.start ?? 0} columns={columns.length} />
          {rows.slice(start, end).map((row, offset) => (
            <DataRow
              key={rowKey(row)}
              row={row}
              columns={columns}
              rowClass={rowClass}
              phoneRow={phoneRow}
              // Rows with a sentence or a button are higher than others.
              {...(isVirtual && { ref: virtualizer.measureElement, index: start + offset })}
            />
          ))}
          <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

interface DataRowProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rowClass' | 'phoneRow'> {
  row: Row
  ref?: Ref<HTMLTableRowElement>
  /** By which the virtualizer knows a measured row. */
  index?: number
}

function DataRow<Row>({ row, columns, rowClass, phoneRow, ref, index }: DataRowProps<Row>) {
  return (
    <tr ref={ref} data-index={index} className={phoneRow ? phoneClasses.row : rowClass?.(row)}>
      <RowCells row={row} columns={columns} phoneRow={phoneRow} />
    </tr>
  )
}

/** Apart from the row, whose index changes with every row that is added above. */
function PlainRowCells<Row>({ row, columns, phoneRow }: DataRowProps<Row>) {
  if (phoneRow) return <PhoneRowCells {...phoneRow(row)} />
  return columns.map((column) => (
    <td
      key={column.title}
      data-align={column.align}
      data-mono={column.mono}
      data-hide-order={column.hideOrder}
      className={column.pinned ? classes.pinned : undefined}
    >
      {column.cell(row)}
    </td>
  ))
}

// memo() loses the generic parameter; the cast restores it.
const RowCells = memo(PlainRowCells) as typeof PlainRowCells

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden className={classes.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

function keepsRowsInView(): boolean {
  return globalThis.CSS?.supports?.('overflow-anchor', 'auto') ?? false
}

/** Until a row is measured. Rows are higher on a phone; tokens.css defines the height. */
function readRowHeight(): number {
  if (typeof document === 'undefined') return DEFAULT_ROW_PX
  const token = getComputedStyle(document.documentElement).getPropertyValue('--row')
  return Number.parseFloat(token) || DEFAULT_ROW_PX
}
