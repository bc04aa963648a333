import { type ConnectionEdit, type ConnectionTest, connections, type Id } from '@binnacle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import { connectionQueries } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface ConnectionEdited {
  connectionId: Id
  edit: ConnectionEdit
}

const CONNECTION_EDIT = ['connection-edit']
const CONNECTION_REMOVE = ['connection-remove']
const CONNECTION_TEST = ['connection-test']

/** What is seen through the connection may be another store afterwards, so all of it is loaded again. */
export function useEditConnection(options: ChangeOptions<ConnectionEdited>): StartChange<ConnectionEdited> {
  const client = useQueryClient()
  return useChange({
    key: CONNECTION_EDIT,
    subject: ({ connectionId }) => String(connectionId),
    send: ({ connectionId, edit }) =>
      call(connections.update, { params: { conn: connectionId }, body: edit }),
    onReply: (reply, sent) => {
      options.onDone(sent, reply)
      return Promise.all([
        client.invalidateQueries({ queryKey: [...connectionQueries.all, 'connections'] }),
        reloadStore(client, sent.connectionId),
      ])
    },
    onFailure: options.onFailure,
  })
}

export function useRemoveConnection(options: ChangeOptions<Id>): StartChange<Id> {
  const client = useQueryClient()
  return useChange({
    key: CONNECTION_REMOVE,
    subject: String,
    send: (connectionId) => call(connections.remove, { params: { conn: connectionId } }),
    onReply: (reply, connectionId) => {
      options.onDone(connectionId, reply)
      return client.invalidateQueries({ queryKey: [...connectionQueries.all, 'connections'] })
    },
    onFailure: options.onFailure,
  })
}

export function useTestConnection(options: ChangeOptions<Id, ConnectionTest>): StartChange<Id> {
  return useChange({
    key: CONNECTION_TEST,
    subject: String,
    send: (connectionId) => call(connections.test, { params: { conn: connectionId } }),
    onReply: (reply, connectionId) => options.onDone(connectionId, reply),
    onFailure: options.onFailure,
  })
}

export function useIsChangingConnection(connectionId: Id): boolean {
  const edited = useSubjectsUnderWay(CONNECTION_EDIT)
  const removed = useSubjectsUnderWay(CONNECTION_REMOVE)
  return edited.has(String(connectionId)) || removed.has(String(connectionId))
}

export function useIsTestingConnection(connectionId: Id): boolean {
  return useSubjectsUnderWay(CONNECTION_TEST).has(String(connectionId))
}
