import { constants, type StatementSync } from 'node:sqlite'
import { createCollector } from '#database/drivers/collect-rows.ts'
import { describeHarm } from '#database/drivers/destructive.ts'
import type { CheckedStatement, ResultCaps, StatementResult } from '#database/drivers/driver.ts'
import { FOR_SCREEN } from '#database/drivers/encode.ts'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import { type Deed, WRITES } from './sqlite-guard.ts'
import { columnsOf, encodeRow, rawRows } from './sqlite-rows.ts'
import type { SqliteStore } from './sqlite-store.ts'

export function checkStatement(store: SqliteStore, sql: string): CheckedStatement {
  const { deeds } = prepareOne(store, sql)
  const writes = deeds.filter(({ action }) => WRITES.has(action))
  if (writes.length === 0) return { kind: 'read' }
  const table = tableOf(writes)
  const sentence = table === undefined ? undefined : describeHarm(sql, table)
  if (table === undefined || sentence === undefined) return { kind: 'write' }
  return { kind: 'write', confirm: { table, sentence } }
}

/** One statement; one that writes has a transaction of its own, which is undone when it fails. */
export function runStatement(store: SqliteStore, sql: string, caps: ResultCaps): StatementResult {
  const { kind } = checkStatement(store, sql)
  if (kind === 'read') return { ...readRows(store, sql, caps), rowsAffected: null }
  return inTransaction(store, () => {
    const changesBefore = numberOf(store, 'SELECT total_changes()')
    const result = readRows(store, sql, caps)
    // CREATE and DROP leave the number of the statement before them.
    const isOther = numberOf(store, 'SELECT total_changes()') !== changesBefore
    return { ...result, rowsAffected: isOther ? numberOf(store, 'SELECT changes()') : 0 }
  })
}

/** SQLite compiles the first statement of a text and leaves the rest; here a rest is refused. */
export function prepareOne(store: SqliteStore, sql: string): { statement: StatementSync; deeds: Deed[] } {
  const { database, guard } = store
  const { value: statement, deeds } = guard.watch(() => database.prepare(sql))
  if (!isBlank(store, sql.slice(statement.sourceSQL.length))) {
    throw new StoreRefusal('store.refused', 'There is more than one statement. Run them one by one.')
  }
  // VACUUM asks for leave only when it runs; it is the one that neither gives rows nor writes by its own word.
  if (statement.columns().length === 0 && !deeds.some(({ action }) => WRITES.has(action))) {
    throw new StoreRefusal('store.refused', 'This neither reads nor writes rows, so it cannot be run here.')
  }
  return { statement, deeds }
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
      if (!collector.add(encodeRow(row, columns, FOR_SCREEN))) break
    }
    return { columns, ...collector.end(columns) }
  }).value
}

function inTransaction<Value>({ database, guard }: SqliteStore, work: () => Value): Value {
  const say = (sql: string) => guard.trust(() => database.exec(sql))
  say('BEGIN IMMEDIATE')
  try {
    const value = work()
    say('COMMIT')
    return value
  } catch (fault) {
    if (database.isTransaction) say('ROLLBACK')
    throw fault
  }
}

function numberOf({ database, guard }: SqliteStore, sql: string): number {
  const row = guard.trust(() => database.prepare(sql).get())
  return Number(Object.values(row ?? {})[0] ?? 0)
}

/**
 * By SQLite's own tokenizer: compiling what holds no statement is a fault of its own kind. Under the guard all the
 * same, since some pragmas take effect as soon as they are compiled.
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

/** The table that is written to. Of what hangs on a table, such as an index, SQLite names the table second. */
function tableOf(writes: readonly Deed[]): string | undefined {
  const ours = writes.filter(({ first }) => !String(first).startsWith('sqlite_'))
  const hanging = ours.find(({ action }) => ON_A_TABLE.has(action))
  if (hanging !== undefined) return hanging.second ?? undefined
  const deed = ours.find(({ action }) => DROPS.has(action)) ?? ours[0]
  return deed?.first ?? undefined
}

const DROPS: ReadonlySet<number> = new Set([constants.SQLITE_DROP_TABLE, constants.SQLITE_DROP_VIEW])

const ON_A_TABLE: ReadonlySet<number> = new Set([
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TRIGGER,
])
