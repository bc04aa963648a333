import { constants, type StatementSync } from 'node:sqlite'
import { createCollector } from '#collect-rows.ts'
import { describeDestruction } from '#destructive.ts'
import type { CheckedStatement, ResultCaps, StatementResult } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { type SqliteAction, WRITES } from './guard.ts'
import { columnsOf, encodeRow, rawRows } from './rows.ts'
import type { SqliteStore } from './store.ts'

export function checkStatement(store: SqliteStore, sql: string): CheckedStatement {
  const { actions } = prepareOne(store, sql)
  const writes = actions.filter(({ action }) => WRITES.has(action))
  if (writes.length === 0) return { kind: 'read' }
  const table = tableOf(writes)
  const sentence = table === undefined ? undefined : describeDestruction(sql, table)
  if (table === undefined || sentence === undefined) return { kind: 'write' }
  return { kind: 'write', confirm: { table, sentence } }
}

/** Runs one statement. A write gets its own transaction and is rolled back when it fails. */
export function runStatement(store: SqliteStore, sql: string, caps: ResultCaps): StatementResult {
  const { kind } = checkStatement(store, sql)
  if (kind === 'read') return { ...readRows(store, sql, caps), rowsAffected: null }
  return inTransaction(store, () => {
    const changesBefore = numberOf(store, 'SELECT total_changes()')
    const result = readRows(store, sql, caps)
    // CREATE and DROP do not reset changes().
    const isOther = numberOf(store, 'SELECT total_changes()') !== changesBefore
    return { ...result, rowsAffected: isOther ? numberOf(store, 'SELECT changes()') : 0 }
  })
}

/** SQLite compiles only the first statement of a text; a second one is refused. */
export function prepareOne(
  store: SqliteStore,
  sql: string,
): { statement: StatementSync; actions: SqliteAction[] } {
  const { database, guard } = store
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

function readRows(store: SqliteStore, sql: string, caps: ResultCaps): Omit<StatementResult, 'rowsAffected'> {
  const { statement } = prepareOne(store, sql)
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

function inTransaction<Value>({ database, guard }: SqliteStore, work: () => Value): Value {
  const execute = (sql: string) => guard.trust(() => database.exec(sql))
  execute('BEGIN IMMEDIATE')
  try {
    const value = work()
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

/** The written table. For an index or trigger SQLite reports the table as second argument. */
function tableOf(writes: readonly SqliteAction[]): string | undefined {
  const ours = writes.filter(({ first }) => !String(first).startsWith('sqlite_'))
  const hanging = ours.find(({ action }) => PART_OF_A_TABLE.has(action))
  if (hanging !== undefined) return hanging.second ?? undefined
  const taken = ours.find(({ action }) => DROPS.has(action)) ?? ours[0]
  return taken?.first ?? undefined
}

const DROPS: ReadonlySet<number> = new Set([constants.SQLITE_DROP_TABLE, constants.SQLITE_DROP_VIEW])

const PART_OF_A_TABLE: ReadonlySet<number> = new Set([
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TRIGGER,
])
