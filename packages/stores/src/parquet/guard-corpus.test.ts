import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionConfig, Driver } from '#driver.ts'
import { checkConfig } from '#open-driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { CAPS } from '#testkit/drivers/driver-fixture.ts'
import { folderFingerprint } from '#testkit/drivers/folder-fingerprint.ts'
import { afterAllTests, temporaryFolder } from '#testkit/temporary-folder.ts'
import { createParquetDriver } from './driver.ts'

/** Statements that change a file as soon as nobody stops them. */
const HARMFUL = [
  "COPY (SELECT 1 AS a) TO 'FOLDER/trades.parquet' (FORMAT parquet)",
  "COPY (SELECT 1 AS a) TO 'FOLDER/new.parquet' (FORMAT parquet)",
  "COPY (SELECT 1 AS a) TO 'FOLDER/new.csv'",
  "SELECT 1; COPY (SELECT 1 AS a) TO 'FOLDER/new.csv'",
  "EXPLAIN ANALYZE COPY (SELECT 1 AS a) TO 'FOLDER/new.csv'",
  "/* a comment */ COPY (SELECT 1 AS a) TO 'FOLDER/new.csv'",
  "PREPARE p AS COPY (SELECT 1 AS a) TO 'FOLDER/new.csv'; EXECUTE p",
  "CREATE TABLE a AS SELECT 1 AS b; EXPORT DATABASE 'FOLDER/exported'",
  "ATTACH 'FOLDER/new.duckdb' AS d; CREATE TABLE d.a (b INTEGER)",
]

/** Statements that would show what lies outside. */
const PRYING = [
  "SELECT * FROM read_text('ROOT/secret.txt')",
  "SELECT * FROM read_blob('ROOT/secret.txt')",
  "SELECT * FROM read_csv('ROOT/secret.txt')",
  "SELECT * FROM 'ROOT/outside.parquet'",
  "SELECT * FROM read_parquet('ROOT/outside.parquet')",
  "SELECT * FROM read_parquet('FOLDER/../outside.parquet')",
  "SELECT * FROM read_parquet('FOLDER/link.parquet')",
  "SELECT * FROM read_parquet('FOLDER/linked/outside.parquet')",
  "SELECT * FROM glob('ROOT/*')",
  "SELECT * FROM parquet_metadata('ROOT/outside.parquet')",
  "SELECT * FROM sniff_csv('ROOT/secret.txt')",
  "SELECT * FROM query('SELECT * FROM ''ROOT/outside.parquet''')",
  "SELECT (SELECT content FROM read_text('ROOT/secret.txt'))",
  "WITH s AS (SELECT * FROM read_text('ROOT/secret.txt')) SELECT * FROM s",
]

const FORBIDDEN = [
  ...HARMFUL,
  ...PRYING,
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM read_parquet('http://127.0.0.1:1/a.parquet')",
  "COPY trades FROM 'ROOT/secret.txt'",
  "ATTACH ':memory:' AS scratch",
  'DETACH memory',
  'USE memory',
  'SET enable_external_access = true',
  "SET allowed_directories = ['ROOT']",
  'SET lock_configuration = false',
  'RESET memory_limit',
  "SET GLOBAL temp_directory = 'FOLDER'",
  'PRAGMA enable_profiling',
  'LOAD json',
  'INSTALL httpfs',
  'CREATE TABLE mine (a INTEGER)',
  'CREATE OR REPLACE VIEW "trades.parquet" AS SELECT 1',
  'CREATE SECRET s (TYPE s3)',
  'DROP VIEW "trades.parquet"',
  'INSERT INTO "trades.parquet" VALUES (1)',
  'UPDATE "trades.parquet" SET id = 1',
  'DELETE FROM "trades.parquet"',
  'TRUNCATE "trades.parquet"',
  'BEGIN',
  'COMMIT',
  'CHECKPOINT',
  'VACUUM',
  'CALL pragma_version()',
  "CALL enable_logging(storage_path => 'FOLDER/log')",
  'EXPLAIN ANALYZE SELECT 1',
  "IMPORT DATABASE 'ROOT'",
  'SELECT 1; SELECT 2',
  '',
  '-- nothing',
]

const NAMES = [
  'trades.parquet"; DROP VIEW x; --',
  "trades.parquet'); COPY (SELECT 1) TO 'x'; --",
  '../outside.parquet',
  'link.parquet',
  'linked',
  '/etc/passwd',
  '*.parquet',
  'trades',
  'TRADES.PARQUET',
  'id", (SELECT 1)',
]

const never = new AbortController().signal
const atEnd = afterAllTests()

describe('a Parquet connection', () => {
  let place: Place
  let driver: Driver
  beforeAll(async () => {
    place = await newPlace()
    driver = createParquetDriver(place.config, place.access)
    atEnd(() => driver.close())
  })

  test.each(FORBIDDEN)('[STORE-1] [STORE-14] refuses, and nothing changes: %j', async (statement) => {
    const before = folderFingerprint(place.root)
    const sql = place.spell(statement)
    await expect(driver.run(sql, CAPS, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(everyRow(driver, sql)).rejects.toBeInstanceOf(StoreRefusal)
    expect(folderFingerprint(place.root)).toEqual(before)
  })

  test.each(NAMES)('[STORE-7] takes a name as a name only: %j', async (name) => {
    const page = { table: 'trades.parquet', limit: 5, offset: 0 }
    await expect(driver.schema(name, never)).rejects.toBeInstanceOf(StoreRefusal)
    await expect(driver.page({ ...page, table: name }, never)).rejects.toBeInstanceOf(StoreRefusal)
    const sort = { column: name, descending: false }
    await expect(driver.page({ ...page, sort }, never)).rejects.toBeInstanceOf(StoreRefusal)
    const filter = { column: 'symbol', operator: 'eq', value: name } as const
    expect((await driver.page({ ...page, filter }, never)).rows).toEqual([])
  })

  test('reads its own files, by name and by path', async () => {
    for (const statement of ALLOWED) {
      expect((await driver.run(place.spell(statement), CAPS, never)).rows.length, statement).toBeGreaterThan(
        0,
      )
    }
    expect((await driver.tables(never)).map(({ name }) => name)).toEqual(['deep/er', 'trades.parquet'])
  })
})

test.each(HARMFUL)('without the guard it would do harm: %j', async (statement) => {
  const place = await newPlace()
  const before = folderFingerprint(place.root)
  await unguarded(place.spell(statement))
  expect(folderFingerprint(place.root)).not.toEqual(before)
})

test.each(PRYING)('without the guard it would show what lies outside: %j', async (statement) => {
  const place = await newPlace()
  expect((await unguarded(place.spell(statement))).length).toBeGreaterThan(0)
})

test.each(['..', 'FOLDER/..', 'linked', '/etc', '/', 'nothing', 'link.parquet', '../data', 'parquet:///etc'])(
  '[STORE-7] no connection leads out of the allowed folder: %j',
  async (connectionString) => {
    const place = await newPlace()
    const config = { ...place.config, connectionString: place.spell(connectionString) }
    expect(() => checkConfig(config, place.access)).toThrow(StoreRefusal)
  },
)

test('a writable connection is refused: the files are only read', async () => {
  const place = await newPlace()
  expect(() => checkConfig({ ...place.config, writable: true }, place.access)).toThrow(
    'Parquet connections are read-only',
  )
})

const ALLOWED = [
  'SELECT * FROM "trades.parquet"',
  "SELECT * FROM 'trades.parquet'",
  'FROM "deep/er"',
  "SELECT * FROM read_parquet('FOLDER/deep/er/a.parquet')",
  'DESCRIBE "trades.parquet"',
  'SUMMARIZE "trades.parquet"',
  'EXPLAIN SELECT 1',
  'SHOW TABLES',
]

async function everyRow(driver: Driver, statement: string): Promise<void> {
  const { batches } = await driver.stream({ statement }, never)
  for await (const _ of batches);
}

async function unguarded(sql: string): Promise<unknown[]> {
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await duck.runAndReadAll(sql)
  duck.closeSync()
  return read.getRows()
}

interface Place {
  root: string
  access: { databaseFolders: string[]; dataFolder: string }
  config: ConnectionConfig
  spell(statement: string): string
}

async function newPlace(): Promise<Place> {
  const root = temporaryFolder({}, atEnd)
  const folder = join(root, 'parquet')
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'secret.txt'), 'a,b\n1,2\n')
  const rows = "SELECT range AS id, 'BTCUSDT' AS symbol FROM range(5)"
  for (const file of ['parquet/trades.parquet', 'parquet/deep/er/a.parquet', 'outside.parquet']) {
    await unguarded(`COPY (${rows}) TO '${join(root, file)}'`)
  }
  symlinkSync(join(root, 'outside.parquet'), join(folder, 'link.parquet'))
  symlinkSync(root, join(folder, 'linked'))
  const config: ConnectionConfig = {
    id: '1',
    name: 'Market data',
    kind: 'parquet',
    databaseName: 'parquet',
    connectionString: folder,
    writable: false,
    timeLimitMs: 30_000,
  }
  return {
    root,
    access: { databaseFolders: [folder], dataFolder: join(root, 'data') },
    config,
    spell: (statement) => statement.replaceAll('FOLDER', folder).replaceAll('ROOT', root),
  }
}
