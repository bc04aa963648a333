import assert from 'node:assert/strict'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, BackupRow, RetentionRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** The catalogue of completed backups, and their retention. */
export interface BackupsStore {
  /** Backups of a connection, or all; newest first. */
  list(connection?: string): Promise<BackupRow[]>
  find(id: number): Promise<BackupRow | undefined>
  add(audit: AuditContext, backup: Omit<BackupRow, 'id'>): Promise<BackupRow>
  /** Marks a backup that failed verification; it can no longer be restored. */
  markDamaged(audit: AuditContext, id: number): Promise<void>
  remove(audit: AuditContext, id: number): Promise<void>
  retentionOf(connection: string): Promise<RetentionRow | undefined>
  setRetention(audit: AuditContext, retention: RetentionRow): Promise<void>
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
    async add(audit, backup) {
      const outcome = await audited(audit, async (tx) => {
        const added = await tx.insertInto('backups').values(backup).returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added, null, describe(added)))
      })
      assert(outcome.ok)
      return outcome.value
    },
    async markDamaged(audit, id) {
      await audited(audit, async (tx) => {
        const before = await findBackup(tx, id)
        if (before === undefined || before.status === 'damaged') return refused('unchanged')
        await tx.updateTable('backups').set({ status: 'damaged' }).where('id', '=', id).execute()
        return done(undefined, auditChange(before, { status: before.status }, { status: 'damaged' }))
      })
    },
    async remove(audit, id) {
      await audited(audit, async (tx) => {
        const before = await findBackup(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('backups').where('id', '=', id).execute()
        return done(undefined, auditChange(before, describe(before), null))
      })
    },
    retentionOf: (connection) => findRetention(db, connection),
    async setRetention(audit, { connection, ...limits }) {
      await audited(audit, async (tx) => {
        const before = await findRetention(tx, connection)
        await tx
          .insertInto('backup_retention')
          .values({ connection, ...limits })
          .onConflict((conflict) => conflict.column('connection').doUpdateSet(limits))
          .execute()
        return done(undefined, {
          entity: 'backup-retention',
          target: connection,
          before: before ?? null,
          after: limits,
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

function auditChange({ id }: BackupRow, before: unknown, after: unknown): AuditChange {
  return { entity: 'backup', target: String(id), before, after }
}

function describe({ id: _, ...row }: BackupRow): object {
  return row
}
