import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openMigrated } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

interface Tables {
  notes: { id: number; text: string | null }
}

const CREATE_NOTES = sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)`

test('a store uses WAL, syncs every commit, enforces foreign keys and waits for a busy file', async () => {
  const db = openStore(newFile())
  expect(await pragma(db, 'journal_mode')).toBe('wal')
  expect(await pragma(db, 'synchronous')).toBe(2)
  expect(await pragma(db, 'foreign_keys')).toBe(1)
  expect(await pragma(db, 'busy_timeout')).toBe(5000)
})

test('statements insert, read and report their changes', async () => {
  const db = openStore(newFile())
  await CREATE_NOTES.execute(db)
  const inserted = await db.insertInto('notes').values({ id: 1, text: 'one' }).executeTakeFirst()
  expect(inserted.insertId).toBe(1n)
  const returned = await db.insertInto('notes').values({ id: 2, text: null }).returningAll().execute()
  expect(returned).toEqual([{ id: 2, text: null }])
  const updated = await db.updateTable('notes').set({ text: 'two' }).executeTakeFirst()
  expect(updated.numUpdatedRows).toBe(2n)
  expect(await db.selectFrom('notes').selectAll().execute()).toEqual([
    { id: 1, text: 'two' },
    { id: 2, text: 'two' },
  ])
})

test('a failed transaction is rolled back, and transactions are isolated', async () => {
  const db = openStore(newFile())
  await CREATE_NOTES.execute(db)
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ id: 1, text: 'half' }).execute()
    await sql`SELECT * FROM missing`.execute(transaction)
  })
  const beside = db.selectFrom('notes').selectAll().execute()
  await expect(failing).rejects.toThrow('no such table: missing')
  expect(await beside).toEqual([])
})

test('an automatic rollback, as on a full disk, reports the original error', async () => {
  const db = openStore(newFile())
  await CREATE_NOTES.execute(db)
  await sql`PRAGMA max_page_count = 4`.execute(db)
  const filling = db
    .transaction()
    .execute((transaction) => sql`INSERT INTO notes VALUES (1, hex(zeroblob(50000)))`.execute(transaction))
  await expect(filling).rejects.toMatchObject({ errcode: 13, message: 'database or disk is full' })
  expect(await db.selectFrom('notes').selectAll().execute()).toEqual([])
})

test('migrations run once, in the order of their names', async () => {
  const file = newFile()
  const ran: string[] = []
  const step = (name: string) => ({ up: async () => void ran.push(name) })
  const migrations = { '0002-b': step('b'), '0001-a': step('a') }
  closeAtEnd(await openMigrated(file, migrations))
  closeAtEnd(await openMigrated(file, { ...migrations, '0003-c': step('c') }))
  expect(ran).toEqual(['a', 'b', 'c'])
})

test('a failed migration is rolled back', async () => {
  const file = newFile()
  const failing = {
    '0001-notes': {
      up: async (db: Kysely<unknown>) => {
        await CREATE_NOTES.execute(db)
        throw new Error('half-way')
      },
    },
  }
  await expect(openMigrated(file, failing)).rejects.toThrow('half-way')
  const tables = await sql`SELECT name FROM sqlite_master WHERE name = 'notes'`.execute(openStore(file))
  expect(tables.rows).toEqual([])
})

test('[OPS-5] a store of a newer version is refused and left unchanged', async () => {
  const file = newFile()
  const step = { up: async () => {} }
  closeAtEnd(await openMigrated(file, { '0001-a': step, '0002-newer': step }))
  await expect(openMigrated(file, { '0001-a': step })).rejects.toThrow(
    `${file} was written by a newer version of Binnacle (it has '0002-newer'). Start that version, or set BINNACLE_DATA to another folder.`,
  )
})

test('a file that is not a database is refused with a remedy', async () => {
  const folder = temporaryFolder({ 'admin.sqlite': 'this was a database once '.repeat(100) })
  const file = join(folder, 'admin.sqlite')
  await expect(openMigrated(file, {})).rejects.toThrow(
    `${file} cannot be used (file is not a database). Correct its permissions or restore it from a backup, or set BINNACLE_DATA to another folder.`,
  )
})

function newFile(): string {
  return join(temporaryFolder(), 'store.sqlite')
}

function openStore(file: string): Kysely<Tables> {
  const db = openSqlite<Tables>(file)
  closeAtEnd(db)
  return db
}

function closeAtEnd<Schema>(db: Kysely<Schema>): void {
  onTestFinished(() => db.destroy())
}

async function pragma(db: Kysely<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)
  return Object.values(rows[0] ?? {})[0]
}
