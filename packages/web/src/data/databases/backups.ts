import { backups, type Id, type ReplyOf } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#data/client.ts'
import {
  type Command,
  type CommandOptions,
  isSuccess,
  useCommand,
  usePendingSubjects,
} from '#data/command.ts'
import { logOnly } from '#data/failure.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface RestoreRequest {
  connectionId: Id
  backupId: Id
  /** BACKUP-17: the database that will be replaced, when it is not the one that was backed up. */
  confirmTarget?: string
}

export type CreatedBackup = Extract<ReplyOf<typeof backups.create>, { success: true }>

export const backupQueries = {
  within: (connectionId: Id) => [...connectionQueries.within(connectionId), 'backups'] as const,
  list: (connectionId: Id, { onFailure }: LoadOptions) =>
    queryOptions({
      queryKey: backupQueries.within(connectionId),
      queryFn: async ({ signal }) =>
        (await call(backups.list, { params: { conn: connectionId } }, { signal })).backups,
      meta: { onFailure },
    }),
  /** STORE-65: backups whose connection no longer exists. */
  removed: () =>
    queryOptions({
      queryKey: [...connectionQueries.all, 'removed-backups'],
      queryFn: async ({ signal }) => (await call(backups.removed, {}, { signal })).backups,
      meta: { onFailure: logOnly },
    }),
}

const BACKUP_CREATE = ['backup-create']
const BACKUP_RESTORE = ['backup-restore']

/** DB-25: a reply that says `success: false` is silent, here and for a restore. */
export function useCreateBackup(options: CommandOptions<Id, CreatedBackup>): Command<Id> {
  return useCommand(
    {
      key: BACKUP_CREATE,
      subject: String,
      idempotency: { by: 'request' },
      send: (connectionId, key) => call(backups.create, { params: { conn: connectionId } }, { key }),
      isDone: isSuccess,
      reload: (client, connectionId) =>
        client.invalidateQueries({ queryKey: backupQueries.within(connectionId) }),
    },
    options,
  )
}

/** A restore replaces the data, so everything read through the connection is loaded again. */
export function useRestoreBackup(options: CommandOptions<RestoreRequest>): Command<RestoreRequest> {
  return useCommand(
    {
      key: BACKUP_RESTORE,
      subject: ({ connectionId }) => String(connectionId),
      idempotency: { by: 'request' },
      send: ({ connectionId, backupId, confirmTarget }, key) => {
        const body = confirmTarget === undefined ? {} : { body: { confirm_target: confirmTarget } }
        return call(backups.restore, { params: { conn: connectionId, backupId }, ...body }, { key })
      },
      isDone: isSuccess,
      reload: (client, { connectionId }) => reloadStore(client, connectionId),
    },
    options,
  )
}

export function useIsRestoring(connectionId: Id): boolean {
  return usePendingSubjects(BACKUP_RESTORE).has(String(connectionId))
}
