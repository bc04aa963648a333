import {
  type ConnectionEdit,
  type ConnectionTest,
  connections,
  type Id,
  type NewConnection,
} from '@binnacle/contract'
import { call } from '#data/client.ts'
import { type Command, type CommandOptions, useCommand } from '#data/command.ts'
import { backupQueries } from './backups.ts'
import { reloadConnections } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface ConnectionEditRequest {
  connectionId: Id
  edit: ConnectionEdit
}

const CONNECTION_EDIT = ['connection-edit']
const CONNECTION_REMOVE = ['connection-remove']
const CONNECTION_TEST = ['connection-test']
const CONNECTION_TRY = ['connection-try']

/** The connection may lead to another store afterwards, so everything read through it is loaded again. */
export function useEditConnection(
  options: CommandOptions<ConnectionEditRequest>,
): Command<ConnectionEditRequest> {
  return useCommand(
    {
      key: CONNECTION_EDIT,
      subject: ({ connectionId }) => String(connectionId),
      send: ({ connectionId, edit }) =>
        call(connections.update, { params: { conn: connectionId }, body: edit }),
      reload: (client, { connectionId }) =>
        Promise.all([
          // DB-43: which store a restore would replace is not known before.
          client.resetQueries({ queryKey: backupQueries.within(connectionId) }),
          reloadConnections(client),
          reloadStore(client, connectionId),
        ]),
    },
    options,
  )
}

export function useRemoveConnection(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: CONNECTION_REMOVE,
      subject: String,
      send: (connectionId) => call(connections.remove, { params: { conn: connectionId } }),
      reload: reloadConnections,
    },
    options,
  )
}

export function useTestConnection(options: CommandOptions<Id, ConnectionTest>): Command<Id> {
  return useCommand(
    {
      key: CONNECTION_TEST,
      subject: String,
      send: (connectionId) => call(connections.test, { params: { conn: connectionId } }),
    },
    options,
  )
}

/** Tests a connection before it is added; nothing is stored. */
export function useTryConnection(
  options: CommandOptions<NewConnection, ConnectionTest>,
): Command<NewConnection> {
  return useCommand(
    { key: CONNECTION_TRY, send: (connection) => call(connections.tryOut, { body: connection }) },
    options,
  )
}
