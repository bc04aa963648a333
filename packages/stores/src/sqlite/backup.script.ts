import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Counts } from '#backup/source.ts'

/** Runs in its own process: the calls are synchronous and long, and only a kill can stop them. */
const [act = '', file = '', target = ''] = process.argv.slice(2)

const SQLITE_BUSY = 5
const TABLES = `
  SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`

process.on('uncaughtException', (fault) => {
  const isBusy = Object(fault).errcode === SQLITE_BUSY
  process.stderr.write(
    isBusy ? 'Another program has the database open. Close it and try again.' : fault.message,
  )
  process.exit(1)
})

if (act === 'copy') await copy(file, target)
else if (act === 'count') print({ counts: withImmutable(file, countWhole) })
else if (act === 'swap') swap(file, target)
else throw new Error(`'${act}' is nothing that can be done here`)

async function copy(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  // A read transaction pins the snapshot. Without it every commit would restart the copy.
  database.exec('BEGIN')
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(database, to, {
    rate: 1000,
    progress: ({ totalPages, remainingPages }) =>
      print({ fraction: totalPages === 0 ? 1 : 1 - remainingPages / totalPages }),
  })
  database.close()
  print({ counts: withImmutable(to, countTables) })
}

/** Reads every page, row and index entry. */
function countWhole(database: DatabaseSync): Counts {
  const [verdict] = database.prepare('PRAGMA integrity_check(1)').all()
  const verdictText = String(Object(verdict).integrity_check)
  if (verdictText !== 'ok') throw new Error(`The database is damaged: ${verdictText.slice(0, 200)}`)
  return countTables(database)
}

function countTables(database: DatabaseSync): Counts {
  const tables = database.prepare(TABLES).all()
  return Object.fromEntries(tables.map(({ name }) => [String(name), countOf(database, String(name))]))
}

/** For a file that no other process uses. Creates no -wal or -shm file. */
function withImmutable(path: string, count: (database: DatabaseSync) => Counts): Counts {
  const database = new DatabaseSync(new URL(`${pathToFileURL(path)}?immutable=1`), { readOnly: true })
  const counts = count(database)
  database.close()
  return counts
}

/**
 * Replaces a database file that no other process uses. The old write-ahead log must be removed before: SQLite would
 * apply it to the new file.
 */
function swap(fresh: string, place: string): void {
  const old = existsSync(place) ? lockExclusively(place) : undefined
  renameSync(fresh, place)
  const folder = openSync(dirname(place), 'r')
  fsyncSync(folder)
  closeSync(folder)
  old?.close()
}

function lockExclusively(place: string): DatabaseSync {
  const old = new DatabaseSync(place, { timeout: 5000 })
  old.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  for (const left of ['-wal', '-shm']) {
    if (existsSync(place + left)) throw new Error(`${place}${left} is still in use`)
  }
  return old
}

function countOf(database: DatabaseSync, table: string): number {
  const name = `"${table.replaceAll('"', '""')}"`
  return Number(Object(database.prepare(`SELECT count(*) AS n FROM ${name}`).get()).n)
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
