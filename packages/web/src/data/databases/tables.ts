import { DATA_PAGE_SIZE, type Id, type TableData, tables } from '@binnacle/contract'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'

/** A table as every call about it names it. */
export interface TableRef {
  connectionId: Id
  table: string
}

export const tableQueries = {
  within: (connectionId: Id) => [...connectionQueries.within(connectionId), 'tables'] as const,
  list: (connectionId: Id, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: tableQueries.within(connectionId),
      queryFn: async ({ signal }) =>
        (await call(tables.list, { params: { conn: connectionId } }, { signal })).tables,
      meta: { onFailure },
    }),
  schema: ({ connectionId, table }: TableRef, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...tableQueries.within(connectionId), table, 'schema'],
      queryFn: async ({ signal }) =>
        (await call(tables.schema, { params: { conn: connectionId, table } }, { signal })).columns,
      meta: { onFailure },
    }),
  /** The page that was shown stays until the next one of the same table has come. */
  page: ({ connectionId, table }: TableRef, pageIndex: number, { onFailure }: LoadOptions) => {
    const ofTable = [...tableQueries.within(connectionId), table, 'rows']
    return queryOptions({
      queryKey: [...ofTable, pageIndex],
      queryFn: ({ signal }) =>
        call(
          tables.data,
          {
            params: { conn: connectionId, table },
            query: { limit: DATA_PAGE_SIZE, offset: DATA_PAGE_SIZE * pageIndex },
          },
          { signal },
        ),
      placeholderData: (shown: TableData | undefined, query) =>
        query && isWithin(query.queryKey, ofTable) ? shown : undefined,
      meta: { onFailure },
    })
  },
}

function isWithin(key: QueryKey, parent: QueryKey): boolean {
  return parent.every((part, index) => key[index] === part)
}
