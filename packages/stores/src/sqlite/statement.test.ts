import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Driver } from '#driver.ts'
import { CAPS } from '#testkit/drivers/driver-fixture.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createSqliteDriver } from './driver.ts'
import { runStatement } from './statement.ts'
import { openSqliteStore } from './store.ts'

const never = new AbortController().signal

test.each([
  'PRAGMA foreign_keys = 0',
  'PRAGMA ignore_check_constraints = 1',
  'PRAGMA locking_mode = EXCLUSIVE',
])('[STORE-1] [STORE-15] behind another statement is refused before it takes effect: %s', async (pragma) => {
  const { driver, file } = newDesk()
  await expect(driver.run(`SELECT 1; ${pragma}`, CAPS, never)).rejects.toThrow(
    'Only one statement can be run at a time',
  )
  await expect(driver.run('INSERT INTO fills VALUES (9, 1)', CAPS, never)).rejects.toThrow('FOREIGN KEY')
  await expect(driver.run('INSERT INTO fills VALUES (1, 0)', CAPS, never)).rejects.toThrow('CHECK')
  const other = new DatabaseSync(file)
  other.exec('INSERT INTO fills VALUES (1, 1)')
  other.close()
})

test('a statement that changes no row reports 0, whatever ran before it', async () => {
  const { driver } = newDesk()
  const rowsOf = async (sql: string) => (await driver.run(sql, CAPS, never)).rowsAffected
  expect(await rowsOf('UPDATE trades SET price = 2 WHERE id < 3')).toBe(2)
  expect(await rowsOf('CREATE TABLE notes (a)')).toBe(0)
  expect(await rowsOf('UPDATE trades SET price = 2 WHERE id > 9')).toBe(0)
})

test('[STORE-30] a statement is compiled once, and what was checked is run', async () => {
  const store = openSqliteStore({ file: newDesk().file, writable: true, hiddenColumns: [] })
  onTestFinished(() => store.database.close())
  const compiled = vi.spyOn(store.database, 'prepare')
  for (const sql of ['SELECT * FROM trades', 'UPDATE trades SET price = 2 WHERE id = 1']) {
    await runStatement(store, sql, CAPS, async () => undefined)
    expect(compiled.mock.calls.filter(([text]) => text === sql)).toHaveLength(1)
  }
})

test('a replaced file is reopened', async () => {
  const { driver, file } = newDesk()
  await driver.run('UPDATE trades SET price = 9 WHERE id = 1', CAPS, never)
  renameSync(file, `${file}.old`)
  copyFileSync(`${file}.old`, file)
  await driver.run('UPDATE trades SET price = 7 WHERE id = 1', CAPS, never)
  const other = new DatabaseSync(file)
  expect({ ...other.prepare('SELECT price FROM trades WHERE id = 1').get() }).toEqual({ price: 7 })
  other.close()
})

test('[STORE-24] three rows with a huge rowid are counted as three', async () => {
  const { driver } = newDesk()
  await driver.run('UPDATE trades SET id = 9007199254740992 WHERE id = 3', CAPS, never)
  const { total, totalIsEstimate } = await driver.page({ table: 'trades', limit: 10, offset: 0 }, never)
  expect([total, totalIsEstimate]).toEqual([3, false])
})

/** A writable connection to a database with constraints. */
function newDesk(): { driver: Driver; file: string } {
  const folder = temporaryFolder()
  const file = join(folder, 'desk.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE trades (id INTEGER PRIMARY KEY, price REAL);
    INSERT INTO trades VALUES (1, 1.5), (2, 3), (3, 4.5);
    CREATE TABLE fills (trade REFERENCES trades (id), quantity CHECK (quantity > 0))`)
  database.close()
  const config = {
    id: '1',
    name: 'Desk',
    kind: 'sqlite',
    databaseName: 'desk',
    connectionString: file,
  } as const
  const access = { databaseFolders: [folder], dataFolder: join(folder, 'data') }
  const driver = createSqliteDriver({ ...config, writable: true, timeLimitMs: 30_000 }, access)
  onTestFinished(() => driver.close())
  return { driver, file }
}
