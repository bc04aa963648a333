import { connections, type Id, type NewConnection } from '@binnacle/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'

export const connectionQueries = {
  all: ['databases'] as const,
  list: ({ onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: [...connectionQueries.all, 'connections'],
      queryFn: async ({ signal }) => (await call(connections.list, {}, { signal })).connections,
      meta: { onFailure },
    }),
  /** Everything loaded through a connection lies under this key. */
  within: (connectionId: Id) => [...connectionQueries.all, 'connection', String(connectionId)] as const,
}

const CONNECTION_ADD = ['connection-add']

/** DB-25: a reply that says `success: false` is silent. */
export function useAddConnection(options: ChangeOptions<NewConnection>): StartChange<NewConnection> {
  const client = useQueryClient()
  return useChange({
    key: CONNECTION_ADD,
    subject: () => 'connection',
    send: (connection) => call(connections.add, { body: connection }),
    onReply: (reply, sent) => {
      if (!reply.success) return
      options.onDone(sent, reply)
      return client.invalidateQueries({ queryKey: [...connectionQueries.all, 'connections'] })
    },
    onFailure: options.onFailure,
  })
}

export function useIsAddingConnection(): boolean {
  return useSubjectsUnderWay(CONNECTION_ADD).size > 0
}

/** Loads again whatever of the databases is on the screen. */
export function useReloadDatabases(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: connectionQueries.all })
}
