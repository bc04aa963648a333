import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, BackupRow, RetentionRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** The catalogue of completed backups, and their retention. */
export interface BackupsStore {
  /** Backups of the connection with the identity, or all; newest first. */
  list(identity?: string): Promise<BackupRow[]>
  /** Backups whose connection no longer exists. */
  listRemoved(): Promise<BackupRow[]>
  find(id: number): Promise<BackupRow | undefined>
  /** A backup without an id gets the next one. */
  add(audit: AuditContext, backup: NewBackupRow): Promise<BackupRow>
  /** The highest id that was ever given out. */
  lastId(): Promise<number>
  /** The identity of the connection with this number, name and type, for backups that carry no identity. */
  ownerOf(backup: Pick<BackupRow, 'connection' | 'connection_name' | 'type'>): Promise<string | undefined>
  /** Marks a backup that failed verification; it can no longer be restored. */
  markDamaged(audit: AuditContext, id: number): Promise<void>
  remove(audit: AuditContext, id: number): Promise<void>
  retentionOf(identity: string): Promise<RetentionRow | undefined>
  setRetention(audit: AuditContext, retention: RetentionRow): Promise<void>
}

export type NewBackupRow = Omit<BackupRow, 'id'> & { id?: number | undefined }

export function createBackupsStore(db: AdminDb, audited: Audited): BackupsStore {
  return {
    list: (identity) =>
      newestFirst(db)
        .$if(identity !== undefined, (query) => query.where('identity', '=', identity ?? ''))
        .execute(),
    listRemoved: () =>
      newestFirst(db)
        .where(sql<boolean>`connection GLOB '[0-9]*'`)
        .where('identity', 'not in', db.selectFrom('connections').select('identity'))
        .execute(),
    async lastId() {
      const { rows } = await sql<{
        seq: number
      }>`SELECT seq FROM sqlite_sequence WHERE name = 'backups'`.execute(db)
      return rows[0]?.seq ?? 0
    },
    async ownerOf({ connection, connection_name, type }) {
      const owner = db.selectFrom('connections').select('identity').where('id', '=', Number(connection))
      const found = await owner
        .where('name', '=', connection_name)
        .where('type', '=', type)
        .executeTakeFirst()
      return found?.identity
    },
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
    retentionOf: (identity) => findRetention(db, identity),
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

function newestFirst(db: AdminDb) {
  return db.selectFrom('backups').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
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
