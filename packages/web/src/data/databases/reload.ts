import type { Id, Table } from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { connectionQueries } from './connections.ts'
import { isWithin, tableQueries } from './tables.ts'

/**
 * Loads again what is seen through a connection after its store may have changed. The list of tables comes first,
 * since a table may have gone: asking about it would only earn an error that nobody can do anything about.
 */
export async function reloadStore(client: QueryClient, connectionId: Id): Promise<void> {
  const list = tableQueries.within(connectionId)
  const beside = client.invalidateQueries({
    queryKey: connectionQueries.within(connectionId),
    predicate: ({ queryKey }) => !isWithin(queryKey, list),
  })
  await client.invalidateQueries({ queryKey: list, exact: true })
  const known = new Set<unknown>(client.getQueryData<readonly Table[]>(list)?.map(({ name }) => name))
  await client.invalidateQueries({
    queryKey: list,
    predicate: ({ queryKey }) => known.has(queryKey[list.length]),
  })
  await beside
}
