import assert from 'node:assert/strict'
import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, SavedQueryRow, StatementRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'

/** What was run on a connection, and what is kept to be run again. */
export interface StatementsStore {
  /** The newest first. */
  history(connectionId: string): Promise<StatementRow[]>
  /** Oldest ones beyond the bound go. */
  remember(statement: Omit<StatementRow, 'id'>): Promise<void>
  saved(connectionId: string): Promise<SavedQueryRow[]>
  /** The same name again replaces what was kept under it. */
  save(act: Act, query: Omit<SavedQueryRow, 'id'>): Promise<SavedQueryRow>
  forget(act: Act, connectionId: string, id: number): Promise<Outcome<SavedQueryRow, 'unknown'>>
}

/** How many statements of one connection are remembered. */
const KEPT_STATEMENTS = 200

export function createStatementsStore(db: AdminDb, audited: Audited): StatementsStore {
  return {
    history: (connectionId) =>
      db
        .selectFrom('statement_history')
        .selectAll()
        .where('connection_id', '=', connectionId)
        .orderBy('id', 'desc')
        .limit(KEPT_STATEMENTS)
        .execute(),
    async remember(statement) {
      await db.insertInto('statement_history').values(statement).execute()
      const oldest = db
        .selectFrom('statement_history')
        .select('id')
        .where('connection_id', '=', statement.connection_id)
        .orderBy('id', 'desc')
        .offset(KEPT_STATEMENTS)
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
    save: async (act, query) => {
      const outcome = await audited(act, async (tx) => {
        const named = tx.selectFrom('saved_queries').selectAll().where('name', '=', query.name)
        const before = await named.where('connection_id', '=', query.connection_id).executeTakeFirst()
        const saved = await tx
          .insertInto('saved_queries')
          .values(query)
          .onConflict((conflict) => conflict.columns(['connection_id', 'name']).doUpdateSet(query))
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(saved, deed(saved.id, before ?? null, saved))
      })
      assert(outcome.ok)
      return outcome.value
    },
    forget: (act, connectionId, id) =>
      audited(act, async (tx) => {
        const owned = tx.deleteFrom('saved_queries').where('id', '=', id)
        const before = await owned.where('connection_id', '=', connectionId).returningAll().executeTakeFirst()
        return before === undefined ? refused('unknown') : done(before, deed(id, before, null))
      }),
  }
}

function deed(id: number, before: unknown, after: unknown): Deed {
  return { entity: 'saved-query', target: String(id), before, after }
}
