import { constants, type StatementSync } from 'node:sqlite'
import { createCollector } from '#collect-rows.ts'
import { describeDestruction } from '#destructive.ts'
import type { BeforeWrite, ResultCaps, StatementEffect, StatementResult } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { watchEveryRow } from './every-row.ts'
import { type SqliteAction, WRITES } from './guard.ts'
import { columnsOf, encodeRow, rawRows } from './rows.ts'
import type { SqliteStore } from './store.ts'

/** A compiled statement that the guard has let pass. Only this is executed. */
export interface AllowedStatement extends StatementEffect {
  sql: string
  statement: StatementSync
  writes: readonly SqliteAction[]
}

/** Compiles one statement under the guard. */
export function checkStatement(store: SqliteStore, sql: string): AllowedStatement {
  const { statement, actions } = prepareOne(store, sql)
  const writes = actions.filter(({ action }) => WRITES.has(action))
  if (writes.length === 0) return { kind: 'read', sql, statement, writes }
  const table = confirmedName(writes)
  const sentence = table === undefined ? undefined : describeDestruction(sql, table)
  const confirm = table === undefined || sentence === undefined ? undefined : { table, sentence }
  return { kind: 'write', sql, statement, writes, confirm }
}

/** Runs one statement. A write gets its own transaction and is rolled back when it fails or is refused. */
export async function runStatement(
  store: SqliteStore,
  sql: string,
  caps: ResultCaps,
  beforeWrite: BeforeWrite,
): Promise<StatementResult> {
  const allowed = checkStatement(store, sql)
  if (allowed.kind === 'read') return { ...readRows(store, allowed, caps), rowsAffected: null }
  await beforeWrite(allowed.confirm)
  return inTransaction(store, async () => {
    const everyRow = allowed.confirm === undefined ? watchEveryRow(store, allowed) : undefined
    const changesBefore = numberOf(store, 'SELECT total_changes()')
    const result = readRows(store, allowed, caps)
    // CREATE and DROP do not reset changes().
    const isOther = numberOf(store, 'SELECT total_changes()') !== changesBefore
    const rowsAffected = isOther ? numberOf(store, 'SELECT changes()') : 0
    const confirm = everyRow?.confirmationFor(rowsAffected)
    if (confirm !== undefined) await beforeWrite(confirm)
    return { ...result, rowsAffected }
  })
}

/** SQLite compiles only the first statement of a text; a second one is refused. */
export function prepareOne(
  store: SqliteStore,
  sql: string,
): { statement: StatementSync; actions: SqliteAction[] } {
  const { database, guard } = store
  // SQLite ends the text at the first NUL, so the rest would be neither checked nor run.
  if (sql.includes('\0'))
    throw new StoreRefusal('store.refused', 'A statement must not contain a NUL character.')
  const { value: statement, actions } = guard.watch(() => database.prepare(sql))
  if (!isBlank(store, sql.slice(statement.sourceSQL.length))) {
    throw new StoreRefusal('store.refused', 'Only one statement can be run at a time. Select one to run it.')
  }
  // VACUUM calls the authorizer only when it runs. It is the only statement without columns and without writes.
  if (statement.columns().length === 0 && !actions.some(({ action }) => WRITES.has(action))) {
    throw new StoreRefusal(
      'store.refused',
      'This statement is not supported here: it neither reads nor writes rows.',
    )
  }
  return { statement, actions }
}

function readRows(
  store: SqliteStore,
  { statement }: AllowedStatement,
  caps: ResultCaps,
): Omit<StatementResult, 'rowsAffected'> {
  return store.guard.watch(() => {
    const collector = createCollector(caps)
    let columns = columnsOf(statement)
    let isFirst = true
    for (const row of rawRows(statement)) {
      if (isFirst) columns = columnsOf(statement, row)
      isFirst = false
      if (!collector.add(encodeRow(row, columns))) break
    }
    return { columns, ...collector.end(columns) }
  }).value
}

async function inTransaction<Value>(
  { database, guard }: SqliteStore,
  work: () => Promise<Value>,
): Promise<Value> {
  const execute = (sql: string) => guard.trust(() => database.exec(sql))
  execute('BEGIN IMMEDIATE')
  try {
    const value = await work()
    execute('COMMIT')
    return value
  } catch (fault) {
    if (database.isTransaction) execute('ROLLBACK')
    throw fault
  }
}

function numberOf({ database, guard }: SqliteStore, sql: string): number {
  const row = guard.trust(() => database.prepare(sql).get())
  return Number(Object.values(row ?? {})[0] ?? 0)
}

/**
 * Whether the rest holds no statement: SQLite then fails with its own error code. Runs under the guard, because some
 * pragmas take effect when they are compiled.
 */
function isBlank({ database, guard }: SqliteStore, rest: string): boolean {
  if (rest.trim() === '') return true
  try {
    guard.watch(() => database.prepare(rest))
    return false
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ERR_INVALID_ARG_VALUE'
  }
}

/** The name to type. For a part of a table SQLite reports the table as second argument. */
function confirmedName(writes: readonly SqliteAction[]): string | undefined {
  const visible = writes.filter(({ first }) => !String(first).startsWith('sqlite_'))
  const part = visible.find(({ action }) => TABLE_PART_ACTIONS.has(action))
  if (part !== undefined) return part.second ?? undefined
  const dropped = visible.find(({ action }) => DROP_ACTIONS.has(action)) ?? visible[0]
  return dropped?.first ?? undefined
}

const DROP_ACTIONS: ReadonlySet<number> = new Set([constants.SQLITE_DROP_TABLE, constants.SQLITE_DROP_VIEW])

const TABLE_PART_ACTIONS: ReadonlySet<number> = new Set([
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TRIGGER,
])
