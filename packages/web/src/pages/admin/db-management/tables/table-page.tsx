import type { ConnectionAbilities, RowFilter } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { type RowsRef, type TableRef, tableQueries } from '#data/databases/tables.ts'
import { problemText } from '#data/failure.ts'
import { RowsTable } from '#pages/admin/db-management/rows/rows-table.tsx'
import { toastFailure } from '#state/toasts.ts'
import type { ServerSort } from '#ui/list/data-table.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { Pager, pagingOf, pagingWithoutRows } from './pager.tsx'
import { SchemaTable } from './schema-table.tsx'
import classes from './table-page.module.css'

export interface TablePageProps {
  table: TableRef
  capabilities: ConnectionAbilities | undefined
  pageIndex: number
  onPage: (pageIndex: number) => void
}

const onSchemaFailure = toastFailure(copy.schemaFailed)
const onDataFailure = toastFailure(copy.dataFailed)

/** Only for backends that send abilities, which the specification does not define. */
const TableTools = lazyPart(async () => (await import('./table-tools.tsx')).TableTools)

export function TablePage({ table, capabilities, pageIndex, onPage }: TablePageProps) {
  const [rowFilter, setRowFilter] = useState<RowFilter>({})
  // One transition with the return to the first page, or a page of the new order would be loaded and never shown.
  const applyFilter = (next: RowFilter) =>
    startTransition(() => {
      setRowFilter(next)
      onPage(0)
    })
  return (
    <>
      <section aria-label={copy.schema}>
        <h3 className={classes.title}>{copy.schema}</h3>
        <Schema table={table} />
      </section>
      <section aria-label={copy.data}>
        {capabilities && (
          <LazyBoundary>
            <TableTools
              table={table}
              capabilities={capabilities}
              rowFilter={rowFilter}
              onFilter={applyFilter}
            />
          </LazyBoundary>
        )}
        <Rows
          table={{ ...table, rowFilter }}
          pageIndex={pageIndex}
          onPage={onPage}
          onFilter={capabilities?.sort ? applyFilter : undefined}
        />
      </section>
    </>
  )
}

function Schema({ table }: { table: TableRef }) {
  const {
    data: columns,
    error,
    isPending,
  } = useQuery(tableQueries.schema(table, { onFailure: onSchemaFailure }))
  if (isPending) return <Loading bare text={copy.loadingSchema} />
  if (columns?.length === 0) return <EmptyState title={copy.noColumns} />
  if (!columns)
    return (
      <Notice tone="bad" title={copy.schemaLost}>
        {problemText(error)}
      </Notice>
    )
  return <SchemaTable columns={columns} />
}

interface RowsProps {
  table: RowsRef
  pageIndex: number
  onPage: (pageIndex: number) => void
  /** Undefined if the backend cannot sort: then a click on a title sorts this page alone. */
  onFilter: ((rowFilter: RowFilter) => void) | undefined
}

function Rows({ table, pageIndex, onPage, onFilter }: RowsProps) {
  const {
    data: page,
    error,
    isPending,
    isPlaceholderData,
  } = useQuery(tableQueries.page(table, pageIndex, { onFailure: onDataFailure }))
  if (isPending) return <Loading bare text={copy.loadingData} />
  const paging = page ? pagingOf(pageIndex, page) : pagingWithoutRows(pageIndex)
  return (
    <>
      <div className={classes.head}>
        <h3 className={classes.title}>{copy.data}</h3>
        <Pager paging={paging} onPage={onPage} />
      </div>
      {page?.rows.length === 0 && <EmptyState title={copy.noRows} />}
      {!page && (
        <Notice tone="bad" title={copy.dataLost}>
          {problemText(error)}
        </Notice>
      )}
      {page && page.rows.length > 0 && (
        <div className={classes.rows} aria-busy={isPlaceholderData}>
          <RowsTable
            label={`Rows of ${table.table}`}
            rows={page.rows}
            columns={page.columns}
            isPartial
            serverSort={onFilter && sortOf(table.rowFilter, onFilter)}
          />
        </div>
      )}
    </>
  )
}

/** DB-37: the title of a column sorts the whole table. */
function sortOf(rowFilter: RowFilter = {}, onFilter: (rowFilter: RowFilter) => void): ServerSort {
  const { sort, order, ...filter } = rowFilter
  return {
    order:
      sort === undefined
        ? undefined
        : { title: sort, direction: order === 'desc' ? 'descending' : 'ascending' },
    onChange: (next) =>
      onFilter({
        ...filter,
        ...(next && { sort: next.title, order: next.direction === 'descending' ? 'desc' : 'asc' }),
      }),
  }
}
