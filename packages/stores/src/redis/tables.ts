import type { TableEntry, TableSchema } from '#driver.ts'
import { unknownTable } from '#store-refusal.ts'
import type { Send } from './connection.ts'
import { databaseNumber } from './connection-options.ts'
import { KEY_COLUMNS } from './key-values.ts'

/** The databases that hold keys, and the connection's own even when it is empty. */
export async function listDatabases(send: Send, own: number): Promise<TableEntry[]> {
  // A user without the right to INFO still sees the own database.
  const reply = String(await send('INFO', 'keyspace').catch(() => ''))
  const keys = new Map([[own, Number(await send('DBSIZE'))]])
  for (const [, database, count] of reply.matchAll(/^db(\d+):keys=(\d+)/gm))
    keys.set(Number(database), Number(count))
  return [...keys]
    .toSorted(([one], [other]) => one - other)
    .map(([database, rows]) => ({ name: `db${database}`, kind: 'table', rows }))
}

/** Every database has the same columns; 'key' identifies a row, 'key' and 'type' are never null. */
export const KEY_SCHEMA: TableSchema = {
  columns: KEY_COLUMNS.map((column, cid) => ({
    ...column,
    cid,
    notnull: cid < 2 ? 1 : 0,
    pk: cid === 0 ? 1 : 0,
  })),
}

/** The number in a table name such as 'db3'. */
export function databaseOfTable(table: string): number {
  if (!/^db\d{1,5}$/.test(table)) throw unknownTable(table)
  return databaseNumber(table)
}
