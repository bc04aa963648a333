import type { Greeting, TableEntry } from '../driver.ts'
import type { Send } from './visit.ts'

export async function greet(send: Send): Promise<Greeting> {
  const told = String(await send('INFO', 'server'))
  const [, version = 'of an unknown version'] = /^redis_version:(\S+)/m.exec(told) ?? []
  return { version: `Redis ${version}`, warnings: [] }
}

/** The databases with keys in them, and the connection's own even when it is empty. */
export async function listDatabases(send: Send, own: number): Promise<TableEntry[]> {
  // A user who may not ask for figures still has his own database.
  const told = String(await send('INFO', 'keyspace').catch(() => ''))
  const keys = new Map([[own, Number(await send('DBSIZE'))]])
  for (const [, database, count] of told.matchAll(/^db(\d+):keys=(\d+)/gm))
    keys.set(Number(database), Number(count))
  return [...keys]
    .toSorted(([one], [other]) => one - other)
    .map(([database, rows]) => ({ name: `db${database}`, kind: 'table', rows }))
}
