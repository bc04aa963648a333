export interface SortOrder {
  title: string
  direction: 'ascending' | 'descending'
}

interface SortableColumn<Row> {
  title: string
  value?: (row: Row) => string | number | null | undefined
  text?: (row: Row) => string
  cell?: (row: Row) => unknown
}

export interface RowSelection {
  filter: string
  sort: SortOrder | undefined
}

/** The rows that match the filter, sorted; the given array is not changed. */
export function sortAndFilter<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  { filter, sort }: RowSelection,
): readonly Row[] {
  const matching = filterRows(rows, columns, filter)
  const read = columns.find((column) => column.title === sort?.title)?.value
  if (!sort || !read) return matching
  const sign = sort.direction === 'ascending' ? 1 : -1
  return matching.toSorted((a, b) => sign * compareValues(read(a), read(b)))
}

/** ORD-35: the rows in the held order; new ones follow at the end, so that no held row moves down. */
export function holdOrder<Row, Key>(
  rows: readonly Row[],
  held: readonly Key[],
  rowKey: (row: Row) => Key,
): readonly Row[] {
  const ranks = new Map(held.map((key, rank) => [key, rank]))
  const rankOf = (row: Row) => ranks.get(rowKey(row)) ?? held.length
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Ascending, then descending, then the server's order. */
export function toggleSort(sort: SortOrder | undefined, title: string): SortOrder | undefined {
  if (sort?.title !== title) return { title, direction: 'ascending' }
  return sort.direction === 'ascending' ? { title, direction: 'descending' } : undefined
}

/** SHELL-24: every word must be in some column, as shown or as sent. */
function filterRows<Row>(rows: readonly Row[], columns: readonly SortableColumn<Row>[], filter: string) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const texts = columns.flatMap((column) => searchTexts(column, row))
    return words.every((word) => texts.some((text) => text.includes(word)))
  })
}

function searchTexts<Row>(column: SortableColumn<Row>, row: Row): string[] {
  if (!column.value) return []
  const shown = column.text?.(row) ?? column.cell?.(row)
  const texts = [column.value(row), typeof shown === 'string' ? shown : undefined]
  return texts.map((text) => String(text ?? '').toLowerCase())
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true })
}
