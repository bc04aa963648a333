import { connections, type Id, type NewConnection } from '@binnacle/contract'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import { type Command, type CommandOptions, isSuccess, useCommand } from '#data/command.ts'
import type { LoadOptions } from '#data/load.ts'

export const connectionQueries = {
  all: ['databases'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...connectionQueries.all, 'connections'],
      queryFn: async ({ signal }) => (await call(connections.list, {}, { signal })).connections,
      meta: { onFailure },
    }),
  /** The key of everything loaded through a connection. */
  within: (connectionId: Id) => [...connectionQueries.all, 'connection', String(connectionId)] as const,
}

const CONNECTION_ADD = ['connection-add']

/** DB-25: a reply that says `success: false` is silent. */
export function useAddConnection(options: CommandOptions<NewConnection>): Command<NewConnection> {
  return useCommand(
    {
      key: CONNECTION_ADD,
      send: (connection) => call(connections.add, { body: connection }),
      isDone: isSuccess,
      reload: reloadConnections,
    },
    options,
  )
}

export function reloadConnections(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [...connectionQueries.all, 'connections'] })
}

export function useReloadDatabases(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: connectionQueries.all })
}
