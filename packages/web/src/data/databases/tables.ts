import { DATA_PAGE_SIZE, type Id, type RowFilter, type TableData, tables } from '@binnacle/contract'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'

export interface TableRef {
  connectionId: Id
  table: string
}

/** A table with sorting and filtering, which a baseline backend does not support. */
export interface RowsRef extends TableRef {
  rowFilter?: RowFilter
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
  schema: (table: TableRef, options: LoadOptions) =>
    queryOptions({ ...schemaReply(table, options), select: ({ columns }) => columns }),
  /** Size on disk, which some stores send in the schema reply. */
  storage: (table: TableRef, options: LoadOptions) =>
    queryOptions({ ...schemaReply(table, options), select: ({ storage }) => storage }),
  /** The previous page of the same table stays visible until the next one has loaded. */
  page: ({ connectionId, table, rowFilter = {} }: RowsRef, pageIndex: number, { onFailure }: LoadOptions) => {
    const ofTable = [...tableQueries.within(connectionId), table, 'rows', JSON.stringify(rowFilter)]
    return queryOptions({
      queryKey: [...ofTable, pageIndex],
      queryFn: ({ signal }) =>
        call(
          tables.data,
          {
            params: { conn: connectionId, table },
            query: { limit: DATA_PAGE_SIZE, offset: DATA_PAGE_SIZE * pageIndex, ...rowFilter },
          },
          { signal },
        ),
      placeholderData: (shown: TableData | undefined, query) =>
        query && isWithin(query.queryKey, ofTable) ? shown : undefined,
      meta: { onFailure },
    })
  },
}

function schemaReply({ connectionId, table }: TableRef, { onFailure }: LoadOptions) {
  return queryOptions({
    queryKey: [...tableQueries.within(connectionId), table, 'schema'],
    queryFn: ({ signal }) => call(tables.schema, { params: { conn: connectionId, table } }, { signal }),
    meta: { onFailure },
  })
}

export function isWithin(key: QueryKey, parent: QueryKey): boolean {
  return parent.every((part, index) => key[index] === part)
}
