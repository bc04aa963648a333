import assert from 'node:assert/strict'
import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import { maskMessage, maskStatement } from '#storage/audit/mask-statement.ts'
import type { AdminDb, SavedQueryRow, StatementRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** Statement history and saved queries of connections. */
export interface StatementsStore {
  /** Newest first. */
  history(connectionId: string): Promise<StatementRow[]>
  /** Deletes the oldest beyond MAX_HISTORY_STATEMENTS. */
  addToHistory(statement: Omit<StatementRow, 'id'>): Promise<void>
  saved(connectionId: string): Promise<SavedQueryRow[]>
  /** Replaces a query with the same name. */
  save(audit: AuditContext, query: Omit<SavedQueryRow, 'id'>): Promise<SavedQueryRow>
  remove(audit: AuditContext, connectionId: string, id: number): Promise<Result<SavedQueryRow, 'unknown'>>
}

/** Per connection. */
const MAX_HISTORY_STATEMENTS = 200

export function createStatementsStore(db: AdminDb, audited: Audited): StatementsStore {
  return {
    history: (connectionId) =>
      db
        .selectFrom('statement_history')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .orderBy('id', 'desc')
        .limit(MAX_HISTORY_STATEMENTS)
        .execute(),
    async addToHistory(statement) {
      const { query, error_message: error } = statement
      const masked = { query: maskStatement(query), error_message: error && maskMessage(error, query) }
      await db
        .insertInto('statement_history')
        .values({ ...statement, ...masked })
        .execute()
      const oldest = db
        .selectFrom('statement_history')
        .select('id')
        .where('connection_id', '=', statement.connection_id)
        .orderBy('id', 'desc')
        .offset(MAX_HISTORY_STATEMENTS)
        .limit(Number.MAX_SAFE_INTEGER)
      await db.deleteFrom('statement_history').where('id', 'in', oldest).execute()
    },
    saved: (connectionId) =>
      db
        .selectFrom('saved_queries')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .orderBy('name')
        .execute(),
    save: async (audit, query) => {
      const outcome = await audited(audit, async (tx) => {
        const named = tx.selectFrom('saved_queries').selectAll().where('name', '=', query.name)
        const before = await named.where('connection_id', '=', query.connection_id).executeTakeFirst()
        const saved = await tx
          .insertInto('saved_queries')
          .values(query)
          .onConflict((conflict) => conflict.columns(['connection_id', 'name']).doUpdateSet(query))
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(saved, auditChange(saved.id, before ?? null, saved))
      })
      assert(outcome.ok)
      return outcome.value
    },
    remove: (audit, connectionId, id) =>
      audited(audit, async (tx) => {
        const owned = tx.deleteFrom('saved_queries').where('id', '=', id)
        const before = await owned.where('connection_id', '=', connectionId).returningAll().executeTakeFirst()
        return before === undefined ? refused('unknown') : done(before, auditChange(id, before, null))
      }),
  }
}

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'saved-query', target: String(id), before, after }
}
