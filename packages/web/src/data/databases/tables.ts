import { DATA_PAGE_SIZE, type Id, type Narrowing, type TableData, tables } from '@binnacle/contract'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'

/** A table as every call about it names it. */
export interface TableRef {
  connectionId: Id
  table: string
}

/** In which order rows are shown and which of them; a backend of the specification knows neither. */
export interface RowsRef extends TableRef {
  narrowing?: Narrowing
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
  /** How the table lies on the disk, told by some stores in the same reply. */
  storage: (table: TableRef, options: LoadOptions) =>
    queryOptions({ ...schemaReply(table, options), select: ({ storage }) => storage }),
  /** The page that was shown stays until the next one of the same table has come. */
  page: ({ connectionId, table, narrowing = {} }: RowsRef, pageIndex: number, { onFailure }: LoadOptions) => {
    const ofTable = [...tableQueries.within(connectionId), table, 'rows', JSON.stringify(narrowing)]
    return queryOptions({
      queryKey: [...ofTable, pageIndex],
      queryFn: ({ signal }) =>
        call(
          tables.data,
          {
            params: { conn: connectionId, table },
            query: { limit: DATA_PAGE_SIZE, offset: DATA_PAGE_SIZE * pageIndex, ...narrowing },
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
