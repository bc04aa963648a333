import assert from 'node:assert/strict'
import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, BackupRow, RetentionRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** The catalogue of backups: one row for each that is whole, and how many are kept. */
export interface BackupsStore {
  /** Those of a connection, or all; the newest first. */
  list(connection?: string): Promise<BackupRow[]>
  find(id: number): Promise<BackupRow | undefined>
  add(act: Act, backup: Omit<BackupRow, 'id'>): Promise<BackupRow>
  /** Notes that it no longer reads as it was written; it cannot be restored from then on. */
  markDamaged(act: Act, id: number): Promise<void>
  remove(act: Act, id: number): Promise<void>
  retentionOf(connection: string): Promise<RetentionRow | undefined>
  setRetention(act: Act, retention: RetentionRow): Promise<void>
}

export function createBackupsStore(db: AdminDb, audited: Audited): BackupsStore {
  return {
    list: (connection) =>
      db
        .selectFrom('backups')
        .selectAll()
        .$if(connection !== undefined, (query) => query.where('connection', '=', connection ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    find: (id) => findBackup(db, id),
    async add(act, backup) {
      const outcome = await audited(act, async (tx) => {
        const added = await tx.insertInto('backups').values(backup).returningAll().executeTakeFirstOrThrow()
        return done(added, deed(added, null, describe(added)))
      })
      assert(outcome.ok)
      return outcome.value
    },
    async markDamaged(act, id) {
      await audited(act, async (tx) => {
        const before = await findBackup(tx, id)
        if (before === undefined || before.status === 'damaged') return refused('unchanged')
        await tx.updateTable('backups').set({ status: 'damaged' }).where('id', '=', id).execute()
        return done(undefined, deed(before, { status: before.status }, { status: 'damaged' }))
      })
    },
    async remove(act, id) {
      await audited(act, async (tx) => {
        const before = await findBackup(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('backups').where('id', '=', id).execute()
        return done(undefined, deed(before, describe(before), null))
      })
    },
    retentionOf: (connection) => findRetention(db, connection),
    async setRetention(act, { connection, ...kept }) {
      await audited(act, async (tx) => {
        const before = await findRetention(tx, connection)
        await tx
          .insertInto('backup_retention')
          .values({ connection, ...kept })
          .onConflict((clash) => clash.column('connection').doUpdateSet(kept))
          .execute()
        return done(undefined, {
          entity: 'backup-retention',
          target: connection,
          before: before ?? null,
          after: kept,
        })
      })
    },
  }
}

function findBackup(db: AdminDb, id: number): Promise<BackupRow | undefined> {
  return db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
}

function findRetention(db: AdminDb, connection: string): Promise<RetentionRow | undefined> {
  return db.selectFrom('backup_retention').selectAll().where('connection', '=', connection).executeTakeFirst()
}

function deed({ id }: BackupRow, before: unknown, after: unknown): Deed {
  return { entity: 'backup', target: String(id), before, after }
}

function describe({ id: _, ...row }: BackupRow): object {
  return row
}
