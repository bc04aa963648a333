import type { Id, Table } from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { connectionQueries } from './connections.ts'
import { isWithin, tableQueries } from './tables.ts'

/**
 * Reloads everything read through a connection after its store may have changed. The table list comes first: a table
 * that no longer exists must not be requested.
 */
export async function reloadStore(client: QueryClient, connectionId: Id): Promise<void> {
  const list = tableQueries.within(connectionId)
  const others = client.invalidateQueries({
    queryKey: connectionQueries.within(connectionId),
    predicate: ({ queryKey }) => !isWithin(queryKey, list),
  })
  await client.invalidateQueries({ queryKey: list, exact: true })
  const existing = new Set<unknown>(client.getQueryData<readonly Table[]>(list)?.map(({ name }) => name))
  await client.invalidateQueries({
    queryKey: list,
    predicate: ({ queryKey }) => existing.has(queryKey[list.length]),
  })
  await others
}
