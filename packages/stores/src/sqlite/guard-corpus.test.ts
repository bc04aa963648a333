import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionConfig, Driver } from '#driver.ts'
import { checkConfig } from '#open-driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { CAPS } from '#testkit/drivers/driver-fixture.ts'
import { folderFingerprint } from '#testkit/drivers/folder-fingerprint.ts'
import { afterAllTests, temporaryFolder } from '#testkit/temporary-folder.ts'
import { createSqliteDriver } from './driver.ts'

/** Statements that change something as soon as nobody stops them. */
const HARMFUL = [
  'DELETE FROM trades',
  'delete from trades where id = 1',
  '/* a comment */ DELETE FROM trades',
  '-- a comment\nDELETE FROM trades',
  ' ;DELETE FROM trades',
  'UPDATE trades SET price = 0',
  'UPDATE OR REPLACE trades SET id = 1',
  "INSERT INTO trades VALUES (9, 'X', 1)",
  "INSERT INTO trades VALUES (9, 'X', 1) RETURNING id",
  "REPLACE INTO trades VALUES (1, 'X', 1)",
  'INSERT INTO trades SELECT id + 100, symbol, price FROM trades',
  'WITH gone AS (SELECT 1) DELETE FROM trades WHERE id IN gone',
  'SELECT 1; DELETE FROM trades',
  'SELECT 1;;; /* */ DROP TABLE trades; --',
  "SELECT ';'; DELETE FROM trades",
  'BEGIN; DELETE FROM trades; COMMIT',
  'DROP TABLE trades',
  'DROP VIEW cheap',
  'DROP INDEX by_symbol',
  'DROP TRIGGER watch',
  'ALTER TABLE trades ADD COLUMN note TEXT',
  'ALTER TABLE trades RENAME TO other',
  'ALTER TABLE trades RENAME COLUMN symbol TO other',
  'CREATE TABLE other (a)',
  'CREATE TABLE other AS SELECT * FROM trades',
  'CREATE VIEW other AS SELECT 1',
  'CREATE INDEX other ON trades (price)',
  'CREATE TRIGGER other AFTER INSERT ON trades BEGIN DELETE FROM trades; END',
  'CREATE VIRTUAL TABLE words USING fts5(word)',
  'ANALYZE',
  "VACUUM INTO 'FOLDER/stolen.sqlite'",
  "ATTACH 'FOLDER/new.sqlite' AS new; CREATE TABLE new.a (b)",
  "ATTACH 'FOLDER/other.sqlite' AS other; DELETE FROM other.secrets",
  'PRAGMA user_version = 7',
  'PRAGMA application_id = 7',
  'PRAGMA journal_mode = WAL',
  'PRAGMA auto_vacuum = 1; VACUUM',
]

/** Statements that reach for something else; what comes back must be a refusal. */
const FORBIDDEN = [
  ...HARMFUL,
  'VACUUM',
  'REINDEX',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'SAVEPOINT mine',
  "ATTACH 'FOLDER/other.sqlite' AS other",
  "ATTACH ':memory:' AS scratch",
  'DETACH main',
  'EXPLAIN DELETE FROM trades',
  'EXPLAIN QUERY PLAN DROP TABLE trades',
  'CREATE TEMP TABLE mine AS SELECT * FROM trades',
  'CREATE TEMP TRIGGER mine AFTER INSERT ON trades BEGIN SELECT 1; END',
  'PRAGMA query_only = 0',
  'PRAGMA writable_schema = 1',
  'PRAGMA schema_version = 99',
  'PRAGMA wal_checkpoint(TRUNCATE)',
  'PRAGMA optimize',
  'PRAGMA incremental_vacuum',
  "PRAGMA temp_store_directory = 'FOLDER'",
  'PRAGMA trusted_schema = 1',
  'PRAGMA locking_mode = EXCLUSIVE',
  "SELECT load_extension('FOLDER/evil.so')",
  "SELECT fts3_tokenizer('simple')",
  "SELECT writefile('FOLDER/new.txt', 'x')",
  "SELECT readfile('/etc/passwd')",
  'SELECT * FROM sqlite_dbpage',
  'SELECT 1 SELECT 2',
  'SELECT 1；DELETE FROM trades',
  '',
  '   ',
  '-- nothing',
]

/** Names of tables and columns, and values, that would break out of a statement if they were pasted into it. */
const NAMES = [
  'trades"; DELETE FROM trades; --',
  "trades'; DROP TABLE trades; --",
  'trades; DELETE FROM trades',
  'trades WHERE 1=1 --',
  '[trades]',
  '`trades`',
  'main.trades',
  'sqlite_master',
  'sqlite_schema',
  'pragma_table_info("trades")',
  '(SELECT 1)',
  'trades\u0000x',
  'ｔｒａｄｅｓ',
  'price"',
  'price", (SELECT 1)',
  '1; ATTACH',
]

const never = new AbortController().signal
const atEnd = afterAllTests()

describe('a read-only connection', () => {
  let place: Place
  let driver: Driver
  beforeAll(() => {
    place = newPlace()
    driver = place.open({})
    atEnd(() => driver.close())
  })

  test.each(FORBIDDEN)('[STORE-1] [STORE-14] refuses, and nothing changes: %j', async (statement) => {
    const before = folderFingerprint(place.folder)
    const sql = statement.replaceAll('FOLDER', place.folder)
    await expect(driver.run(sql, CAPS, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(driver.explain(sql, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(driver.stream({ statement: sql }, never)).rejects.toBeInstanceOf(StoreRefusal)
    expect(folderFingerprint(place.folder)).toEqual(before)
  })

  test.each(NAMES)('[STORE-1] takes a name as a name only: %j', async (name) => {
    const before = folderFingerprint(place.folder)
    const page = { table: 'trades', limit: 5, offset: 0 }
    await expect(driver.schema(name, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(driver.page({ ...page, table: name }, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(driver.stream({ table: name }, never)).rejects.toBeInstanceOf(StoreRefusal)
    const sort = { column: name, descending: false }
    await expect(driver.page({ ...page, sort }, never)).rejects.toBeInstanceOf(StoreRefusal)
    const filter = { column: name, operator: 'eq', value: name } as const
    await expect(driver.page({ ...page, filter }, never)).rejects.toBeInstanceOf(StoreRefusal)
    const found = await driver.page({ ...page, filter: { ...filter, column: 'symbol' } }, never)
    expect(found.rows).toEqual([])
    expect(folderFingerprint(place.folder)).toEqual(before)
  })

  test('reads what it may: tables, catalogue and reading pragmas', async () => {
    for (const statement of ALLOWED) await driver.run(statement, CAPS, never)
  })
})

test.each(HARMFUL)('without the guard it would do harm: %j', (statement) => {
  const place = newPlace()
  const before = folderFingerprint(place.folder)
  const database = new DatabaseSync(place.file)
  database.exec(statement.replaceAll('FOLDER', place.folder))
  database.close()
  expect(folderFingerprint(place.folder)).not.toEqual(before)
})

test('a writable connection writes, but reaches no other file and opens no transaction', async () => {
  const place = newPlace()
  const driver = place.open({ writable: true })
  expect((await driver.run('UPDATE trades SET price = 2 WHERE id < 3', CAPS, never)).rowsAffected).toBe(2)
  for (const statement of [
    "ATTACH 'FOLDER/other.sqlite' AS other",
    "VACUUM INTO 'FOLDER/x'",
    'BEGIN',
    'PRAGMA journal_mode = WAL',
  ]) {
    const sql = statement.replaceAll('FOLDER', place.folder)
    await expect(driver.run(sql, CAPS, never), statement).rejects.toBeInstanceOf(StoreRefusal)
  }
  await driver.close()
})

test('[STORE-3] [STORE-16] hidden columns appear in no row, condition or schema', async () => {
  const place = newPlace()
  const driver = place.open({ hiddenColumns: ['trades.price'] })
  const statement =
    'SELECT price, (SELECT count(*) FROM trades WHERE price > 0) AS dear FROM trades WHERE id = 1'
  expect((await driver.run(statement, CAPS, never)).rows).toEqual([{ price: null, dear: 0 }])
  expect((await driver.schema('trades', never)).columns.map(({ name }) => name)).toEqual(['id', 'symbol'])
  const page = await driver.page({ table: 'trades', limit: 1, offset: 0 }, never)
  expect(page.rows).toEqual([{ id: 1, symbol: 'BTCUSDT' }])
  await driver.close()
})

test.each([
  '../outside.sqlite',
  'FOLDER/../outside.sqlite',
  'link.sqlite',
  'linked/outside.sqlite',
  'sqlite:///etc/passwd',
  'file:../outside.sqlite',
  '/etc/passwd',
  '/dev/zero',
  '.',
  '',
  'nothing.sqlite',
  'desk.sqlite?mode=rwc',
  '../data/admin.sqlite',
  'desk.sqlite\u0000.txt',
  'dangling.sqlite',
  'dangling/new.sqlite',
  'loop.sqlite',
  'loop.sqlite/new.sqlite',
  'desk.sqlite/new.sqlite',
  'a'.repeat(300),
])('[STORE-7] no connection leads out of the allowed folder: %j', (connectionString) => {
  const place = newPlace()
  const config = { ...place.config, connectionString: connectionString.replaceAll('FOLDER', place.folder) }
  expect(() => checkConfig(config, place.access)).toThrow(StoreRefusal)
})

test.each(['dangling.sqlite', 'dangling/new.sqlite', 'linked/new.sqlite', 'loop.sqlite', 'a'.repeat(300)])(
  '[STORE-7] no file is made by way of %j',
  (connectionString) => {
    const place = newPlace()
    const config = { ...place.config, connectionString, writable: true }
    expect(() => checkConfig(config, place.access)).toThrow(StoreRefusal)
  },
)

const ALLOWED = [
  'SELECT * FROM trades',
  'select count(*), max(price) from cheap;  -- the end',
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT * FROM n',
  'VALUES (1), (2)',
  'EXPLAIN QUERY PLAN SELECT * FROM trades',
  'SELECT * FROM sqlite_schema',
  'PRAGMA table_info(trades)',
  'PRAGMA user_version',
  "SELECT ';' AS semicolon",
]

interface Place {
  folder: string
  file: string
  access: { databaseFolders: string[]; dataFolder: string }
  config: ConnectionConfig
  open(config: Partial<ConnectionConfig>): Driver
}

/** An allowed folder with a database, another one beside it that nobody connected, and ways out of it. */
function newPlace(): Place {
  const root = temporaryFolder({ 'data/admin.sqlite': 'ours' }, atEnd)
  const folder = join(root, 'databases')
  mkdirSync(folder)
  const file = join(folder, 'desk.sqlite')
  fill(file, SCHEMA)
  fill(join(folder, 'other.sqlite'), "CREATE TABLE secrets (a); INSERT INTO secrets VALUES ('secret')")
  fill(join(root, 'outside.sqlite'), 'CREATE TABLE secrets (a)')
  symlinkSync(join(root, 'outside.sqlite'), join(folder, 'link.sqlite'))
  symlinkSync(root, join(folder, 'linked'))
  symlinkSync(join(root, 'new.sqlite'), join(folder, 'dangling.sqlite'))
  symlinkSync(join(root, 'nowhere'), join(folder, 'dangling'))
  symlinkSync('loop.sqlite', join(folder, 'loop.sqlite'))
  const access = { databaseFolders: [folder], dataFolder: join(root, 'data') }
  const config: ConnectionConfig = {
    id: '1',
    name: 'Desk',
    kind: 'sqlite',
    databaseName: 'desk',
    connectionString: file,
    writable: false,
    timeLimitMs: 30_000,
  }
  return {
    folder,
    file,
    access,
    config,
    open: (other) => createSqliteDriver({ ...config, ...other }, access),
  }
}

const SCHEMA = `
  CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL, price DECIMAL);
  INSERT INTO trades VALUES (1, 'BTCUSDT', 1.5), (2, 'ETHUSDT', 3), (3, 'BTCUSDT', 4.5);
  CREATE INDEX by_symbol ON trades (symbol);
  CREATE VIEW cheap AS SELECT * FROM trades WHERE price < 4;
  CREATE TRIGGER watch AFTER DELETE ON trades BEGIN SELECT 1; END`

function fill(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}
