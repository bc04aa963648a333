import { backups, type Id, type ReplyOf } from '@binnacle/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { call } from '#data/client.ts'
import type { LoadOptions } from '#data/load.ts'
import { connectionQueries } from './connections.ts'
import { reloadStore } from './reload.ts'

export interface RestoreSent {
  connectionId: Id
  backupId: Id
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
}

const BACKUP_CREATE = ['backup-create']
const BACKUP_RESTORE = ['backup-restore']

/** DB-25: a reply that says `success: false` is silent, here and for a restore. */
export function useCreateBackup(options: ChangeOptions<Id, CreatedBackup>): StartChange<Id> {
  const client = useQueryClient()
  return useChange({
    key: BACKUP_CREATE,
    subject: String,
    send: (connectionId) => call(backups.create, { params: { conn: connectionId } }),
    onReply: (reply, connectionId) => {
      if (!reply.success) return
      options.onDone(connectionId, reply)
      return client.invalidateQueries({ queryKey: backupQueries.within(connectionId) })
    },
    onFailure: options.onFailure,
  })
}

/** A restore replaces the data, so everything seen through the connection is loaded again. */
export function useRestoreBackup(options: ChangeOptions<RestoreSent>): StartChange<RestoreSent> {
  const client = useQueryClient()
  return useChange({
    key: BACKUP_RESTORE,
    subject: ({ connectionId }) => String(connectionId),
    send: ({ connectionId, backupId }) => call(backups.restore, { params: { conn: connectionId, backupId } }),
    onReply: (reply, sent) => {
      if (!reply.success) return
      options.onDone(sent, reply)
      return reloadStore(client, sent.connectionId)
    },
    onFailure: options.onFailure,
  })
}

export function useIsBackingUp(connectionId: Id): boolean {
  return useSubjectsUnderWay(BACKUP_CREATE).has(String(connectionId))
}

export function useIsRestoring(connectionId: Id): boolean {
  return useSubjectsUnderWay(BACKUP_RESTORE).has(String(connectionId))
}
