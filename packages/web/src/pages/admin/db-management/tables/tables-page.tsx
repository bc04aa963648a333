import type { Connection } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { tableQueries } from '#data/databases/tables.ts'
import { problemText } from '#data/failure.ts'
import { type DbSelection, selectTable } from '#pages/admin/db-management/selection.ts'
import { toastFailure } from '#state/toasts.ts'
import { Split } from '#ui/frame/split.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { TableList } from './table-list.tsx'
import { TablePage } from './table-page.tsx'

export interface TablesPageProps {
  connection: Connection
  selection: DbSelection
  onNavigate: (selection: DbSelection) => void
}

const onFailure = toastFailure(copy.failed)

export function TablesPage({ connection, selection, onNavigate }: TablesPageProps) {
  const { data: tables, error, isPending } = useQuery(tableQueries.list(connection.id, { onFailure }))
  if (isPending) return <Loading bare text={copy.loading} />
  if (tables?.length === 0) return <EmptyState title={copy.empty} />
  if (!tables)
    return (
      <Notice tone="bad" title={copy.lost}>
        {problemText(error)}
      </Notice>
    )
  const table = tables.find(({ name }) => name === selection.table)?.name
  const list = (
    <TableList
      tables={tables}
      selected={table}
      onSelect={(name) => onNavigate(selectTable(selection, name))}
    />
  )
  return (
    <Split side={list} width="narrow">
      {table === undefined ? (
        <EmptyState title={copy.select} />
      ) : (
        <TablePage
          key={table}
          table={{ connectionId: connection.id, table }}
          capabilities={connection.can}
          pageIndex={selection.pageIndex}
          onPage={(pageIndex) => onNavigate({ ...selection, pageIndex })}
        />
      )}
    </Split>
  )
}
