import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, ConnectionRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

/** Connections added by users; their strings are already encrypted. */
export interface ConnectionsStore {
  list(): Promise<ConnectionRow[]>
  find(id: number): Promise<ConnectionRow | undefined>
  add(audit: AuditContext, connection: NewConnectionRow): Promise<Result<ConnectionRow, 'name-taken'>>
  update(
    audit: AuditContext,
    id: number,
    change: Change<NewConnectionRow>,
  ): Promise<Result<ConnectionRow, ConnectionRefusal>>
  /** Also deletes the connection's history and saved queries. */
  remove(audit: AuditContext, id: number): Promise<Result<ConnectionRow, 'unknown'>>
}

export type NewConnectionRow = Omit<ConnectionRow, 'id'>
export type ConnectionRefusal = 'unknown' | 'name-taken'

/** The owner of a connection's sealed string. */
export function connectionOwner(identity: string): string {
  return `connection/${identity}`
}

export function createConnectionsStore(db: AdminDb, audited: Audited): ConnectionsStore {
  return {
    list: () => db.selectFrom('connections').selectAll().orderBy('id').execute(),
    find: (id) => findConnection(db, id),
    add: (audit, connection) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, connection.name)) return refused('name-taken')
        const insert = tx.insertInto('connections').values(connection)
        const added = await insert.returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, describe(added)))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findConnection(tx, id)
        if (before === undefined) return refused('unknown')
        const after = { ...merge<ConnectionRow>(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('connections').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, describe(before), describe(after, before)))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findConnection(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('statement_history').where('connection_id', '=', String(id)).execute()
        await tx.deleteFrom('saved_queries').where('connection_id', '=', String(id)).execute()
        await tx.deleteFrom('connections').where('id', '=', id).execute()
        return done(before, auditChange(id, describe(before), null))
      }),
  }
}

function findConnection(db: AdminDb, id: number): Promise<ConnectionRow | undefined> {
  return db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst()
}

async function isNameTaken(db: AdminDb, name: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('connections').select('id').where('name', '=', name)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

/** A connection for the audit log, without its string. */
function describe({ sealed_string, ...connection }: ConnectionRow, before?: ConnectionRow) {
  const isNew = before === undefined || before.sealed_string !== sealed_string
  return { ...connection, string: isNew ? 'given' : 'as before' }
}

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'connection', target: String(id), before, after }
}
