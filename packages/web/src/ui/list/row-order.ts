export interface SortOrder {
  title: string
  direction: 'ascending' | 'descending'
}

interface Readable<Row> {
  title: string
  value?: (row: Row) => string | number | null | undefined
}

export interface Arrangement {
  filter: string
  sort: SortOrder | undefined
}

/** The rows that match the filter, in the order asked for; the given array is never changed. */
export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: readonly Readable<Row>[],
  { filter, sort }: Arrangement,
): readonly Row[] {
  const matching = filterRows(rows, columns, filter)
  const read = columns.find((column) => column.title === sort?.title)?.value
  if (!sort || !read) return matching
  const sign = sort.direction === 'ascending' ? 1 : -1
  return matching.toSorted((a, b) => sign * compareValues(read(a), read(b)))
}

/** Ascending, then descending, then the order the server gave. */
export function toggleSort(sort: SortOrder | undefined, title: string): SortOrder | undefined {
  if (sort?.title !== title) return { title, direction: 'ascending' }
  return sort.direction === 'ascending' ? { title, direction: 'descending' } : undefined
}

function filterRows<Row>(rows: readonly Row[], columns: readonly Readable<Row>[], filter: string) {
  const sought = filter.trim().toLowerCase()
  if (sought === '') return rows
  return rows.filter((row) =>
    columns.some((column) =>
      String(column.value?.(row) ?? '')
        .toLowerCase()
        .includes(sought),
    ),
  )
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true })
}
