import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Counts } from '../source.ts'

/** Run in a process of its own: all of it is synchronous and long, and killing is the only way to stop it. */
const [act = '', file = '', target = ''] = process.argv.slice(2)

const SQLITE_BUSY = 5
const TABLES = `
  SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`

process.on('uncaughtException', (fault) => {
  const isBusy = Object(fault).errcode === SQLITE_BUSY
  process.stderr.write(
    isBusy ? 'Another program has the database open. Close it, and try again.' : fault.message,
  )
  process.exit(1)
})

if (act === 'copy') await copy(file, target)
else if (act === 'count') tell({ counts: withImmutable(file, countWhole) })
else if (act === 'swap') swap(file, target)
else throw new Error(`'${act}' is nothing that can be done here`)

async function copy(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
  // A read transaction holds the moment: without it every commit of another would begin the copy anew.
  database.exec('BEGIN')
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(database, to, {
    rate: 1000,
    progress: ({ totalPages, remainingPages }) =>
      tell({ fraction: totalPages === 0 ? 1 : 1 - remainingPages / totalPages }),
  })
  database.close()
  tell({ counts: withImmutable(to, countTables) })
}

/** Reads every page, row and index entry. */
function countWhole(database: DatabaseSync): Counts {
  const [verdict] = database.prepare('PRAGMA integrity_check(1)').all()
  const told = String(Object(verdict).integrity_check)
  if (told !== 'ok') throw new Error(`The database is damaged: ${told.slice(0, 200)}`)
  return countTables(database)
}

function countTables(database: DatabaseSync): Counts {
  const tables = database.prepare(TABLES).all()
  return Object.fromEntries(tables.map(({ name }) => [String(name), countOf(database, String(name))]))
}

/** For a file that nobody else is at: nothing is left beside it. */
function withImmutable(path: string, count: (database: DatabaseSync) => Counts): Counts {
  const database = new DatabaseSync(new URL(`${pathToFileURL(path)}?immutable=1`), { readOnly: true })
  const counts = count(database)
  database.close()
  return counts
}

/**
 * Puts a file in the place of a database that nobody else may be at. The old one's write-ahead log must be gone
 * before: beside the new file it would be taken for its own, and undo the restore.
 */
function swap(fresh: string, place: string): void {
  const old = existsSync(place) ? holdAlone(place) : undefined
  renameSync(fresh, place)
  const folder = openSync(dirname(place), 'r')
  fsyncSync(folder)
  closeSync(folder)
  old?.close()
}

function holdAlone(place: string): DatabaseSync {
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

function tell(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
