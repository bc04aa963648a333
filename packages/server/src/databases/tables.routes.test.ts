import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAllTests } from '@binnacle/stores/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newDatabaseApp, type TestDatabase } from '#testkit/database-app.ts'

const atEnd = afterAllTests()
let desk: TestDatabase
beforeAll(async () => {
  desk = await newDatabaseApp(atEnd)
  const database = new DatabaseSync(join(desk.folder, 'desk.sqlite'))
  database.exec(`
    CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL, price DECIMAL(10, 2), note JSON, raw BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 120)
      INSERT INTO trades SELECT i, iif(i % 2, 'BTC', 'ETH'), i * 1.5, NULL, NULL FROM n;
    CREATE TABLE odd (big INTEGER, blob BLOB, document JSON, "a,b" TEXT);
    CREATE TABLE pairs (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pairs SELECT symbol, id FROM trades;
    CREATE TABLE vast (id INTEGER PRIMARY KEY);
    INSERT INTO vast VALUES (1), (30000000)`)
  const insert = database.prepare('INSERT INTO odd VALUES (?, ?, ?, ?)')
  insert.run(9007199254740993n, new Uint8Array(3000).fill(65), '{"a":[1,2]}', 'one "two"\nthree')
  database.close()
  await desk.send('POST', '/api/db/connections', {
    name: 'Desk',
    type: 'sqlite',
    database_name: 'main',
    connection_string: 'desk.sqlite',
  })
})

const DATA = '/api/db/1/tables/trades/data'

test('[CALL-24] [CALL-43] tables and columns are listed', async () => {
  const { tables } = (await desk.get('/api/db/1/tables')).json()
  expect(tables).toEqual(['odd', 'pairs', 'trades', 'vast'].map((name) => ({ name, kind: 'table' })))
  const { columns } = (await desk.get('/api/db/1/tables/trades/schema')).json()
  expect(columns.slice(0, 2)).toEqual([
    { cid: 0, name: 'id', type: 'INTEGER', notnull: 0, pk: 1 },
    { cid: 1, name: 'symbol', type: 'TEXT', notnull: 1, pk: 0 },
  ])
})

test('[CALL-25] a page by limit and offset has its rows and the total', async () => {
  const first = (await desk.get(`${DATA}?limit=50&offset=0`)).json()
  expect([first.rows.length, first.rows[0].id, first.total, first.total_is_estimate]).toEqual([
    50,
    1,
    120,
    false,
  ])
  const last = (await desk.get(`${DATA}?limit=50&offset=100`)).json()
  expect([last.rows.length, last.rows[0].id, last.rows.at(-1).id]).toEqual([20, 101, 120])
  expect((await desk.get(`${DATA}?offset=500`)).json().rows).toEqual([])
})

test.each(['trades', 'pairs'])(
  '[STORE-8] Next and Prev over %s give the rows that the offsets mean',
  async (table) => {
    const url = `/api/db/1/tables/${table}/data`
    const all = (await desk.get(`${url}?limit=1000`)).json().rows
    for (const offset of [0, 7, 14, 21, 14, 7, 0, 112, 105, 119, 60]) {
      const { rows } = (await desk.get(`${url}?limit=7&offset=${offset}`)).json()
      expect(rows, `offset ${offset}`).toEqual(all.slice(offset, offset + 7))
    }
  },
)

test('[CALL-29] big integers are strings, JSON is JSON and a blob is its first KiB with its length', async () => {
  const { rows } = (await desk.get('/api/db/1/tables/odd/data')).json()
  expect(rows).toEqual([
    {
      big: '9007199254740993',
      blob: { $blob: Buffer.alloc(1024, 'A').toString('base64'), bytes: 3000 },
      document: { a: [1, 2] },
      'a,b': 'one "two"\nthree',
    },
  ])
})

test('[CALL-29] decimals are strings and times ISO 8601', async () => {
  await fillParquet(join(desk.folder, 'ticks.parquet'))
  await desk.send('POST', '/api/db/connections', {
    name: 'Ticks',
    type: 'parquet',
    database_name: 'ticks',
    connection_string: 'ticks.parquet',
  })
  const { rows, columns } = (await desk.get('/api/db/2/tables/ticks.parquet/data')).json()
  expect(rows).toEqual([{ price: '1.5000', at: '2026-01-01T10:00:00Z', local: '2026-01-01T10:00:00', n: 7 }])
  expect(columns).toEqual([
    { name: 'price', type: 'DECIMAL(18,4)' },
    { name: 'at', type: 'TIMESTAMP WITH TIME ZONE' },
    { name: 'local', type: 'TIMESTAMP' },
    { name: 'n', type: 'BIGINT' },
  ])
  const { storage } = (await desk.get('/api/db/2/tables/ticks.parquet/schema')).json()
  expect(storage).toMatchObject({ files: 1, rows: 1, row_groups: 1, compression: 'SNAPPY' })
  expect(storage.columns[3]).toMatchObject({ name: 'n', min: '7', max: '7', nulls: 0 })
})

test('[SET-21] [SET-22] statistics of a catalog are cached for Cache TTL, and dropped by an edit', async () => {
  const file = 'counted.parquet'
  await fillParquet(join(desk.folder, file))
  const connection = { name: 'Counted', type: 'parquet', database_name: 'counted', connection_string: file }
  const { id } = (await desk.send('POST', '/api/db/connections', connection)).json()
  const rows = async () => (await desk.get(`/api/db/${id}/tables/${file}/schema`)).json().storage.rows
  const ttl = (value: string) =>
    desk.store.settings.update(serverAuditContext('test'), 'cache_ttl', { value })
  expect(await rows()).toBe(1)
  await fillParquet(join(desk.folder, file), 3)
  expect(await rows()).toBe(1)
  await desk.send('PUT', `/api/db/connections/${id}`, { name: 'Recounted' })
  expect(await rows()).toBe(3)
  await fillParquet(join(desk.folder, file), 5)
  expect(await rows()).toBe(3)
  await ttl('0')
  expect(await rows()).toBe(5)
  await ttl('3600')
})

test('[SET-34] the total of a page is counted each time, also after rows were deleted elsewhere', async () => {
  const total = async () => (await desk.get('/api/db/1/tables/pairs/data?limit=7&offset=14')).json().total
  expect(await total()).toBe(120)
  const other = new DatabaseSync(join(desk.folder, 'desk.sqlite'))
  other.exec('BEGIN; DELETE FROM pairs WHERE b > 100; COMMIT')
  expect(await total()).toBe(100)
  other.exec('INSERT INTO pairs SELECT symbol, id FROM trades WHERE id > 100')
  other.close()
  expect(await total()).toBe(120)
})

test('[STORE-24] a small table whose rowids lie far apart is counted', async () => {
  const { total, total_is_estimate } = (await desk.get('/api/db/1/tables/vast/data')).json()
  expect([total, total_is_estimate]).toEqual([2, false])
})

test('[DB-12] [STORE-24] a table too vast to be counted has an estimate, and says so', async () => {
  const large = await newDatabaseApp()
  const database = new DatabaseSync(join(large.folder, 'large.sqlite'))
  database.exec(`
    CREATE TABLE few (id INTEGER PRIMARY KEY);
    INSERT INTO few VALUES (1), (30000000);
    CREATE TABLE vast (id INTEGER PRIMARY KEY);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100001) INSERT INTO vast SELECT i FROM n;
    INSERT INTO vast VALUES (30000000);
    CREATE TABLE filling AS SELECT zeroblob(160000000) AS bytes`)
  database.close()
  const connection = { type: 'sqlite', database_name: 'main', connection_string: 'large.sqlite' }
  await large.send('POST', '/api/db/connections', { name: 'Large', ...connection })
  const vast = (await large.get('/api/db/1/tables/vast/data?limit=2')).json()
  expect([vast.rows.length, vast.total, vast.total_is_estimate]).toEqual([2, 30_000_000, true])
  const few = (await large.get('/api/db/1/tables/few/data')).json()
  expect([few.total, few.total_is_estimate]).toEqual([2, false])
})

test('rows are sorted and filtered by column', async () => {
  const sorted = (await desk.get(`${DATA}?limit=2&sort=price&order=desc`)).json()
  expect(sorted.rows.map(({ id }: { id: number }) => id)).toEqual([120, 119])
  const filtered = (await desk.get(`${DATA}?limit=2&filter_column=symbol&filter_value=eth`)).json()
  expect([filtered.total, filtered.rows[0].id]).toEqual([60, 2])
  const compared = (await desk.get(`${DATA}?filter_column=id&filter_operator=gt&filter_value=118`)).json()
  expect(compared.total).toBe(2)
})

test.each([
  ['csv', 'text/csv; charset=utf-8', 'big,blob,document,"a,b"\r\n9007199254740993,'],
  ['jsonl', 'application/x-ndjson', '{"big":"9007199254740993","blob":"\\\\x4141'],
])('[STORE-5] [STORE-17] a table is exported as %s, its blobs whole', async (format, type, start) => {
  const reply = await desk.get(`/api/db/1/tables/odd/export?format=${format}`)
  expect(reply.headers['content-type']).toBe(type)
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="odd.${format}"`)
  expect(reply.body.slice(0, start.length)).toBe(start)
  expect(reply.body).toContain(`x${Buffer.alloc(3000, 'A').toString('hex')}`)
})

test('[STORE-5] a table is exported as Parquet with the types of its columns', async () => {
  const reply = await desk.get('/api/db/1/tables/trades/export?format=parquet&sort=id')
  expect(reply.headers['content-type']).toBe('application/vnd.apache.parquet')
  const rows = await readParquet(join(desk.folder, 'exported.parquet'), reply.rawPayload)
  expect(rows.length).toBe(120)
  expect(rows[0]).toEqual([1n, 'BTC', 1.5, null, null])
})

async function fillParquet(file: string, rows = 1): Promise<void> {
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const row = `1.5::DECIMAL(18, 4) AS price, TIMESTAMPTZ '2026-01-01 10:00:00+00' AS at,
    TIMESTAMP '2026-01-01 10:00:00' AS "local", 7::BIGINT AS n`
  await duck.run(`COPY (SELECT ${row} FROM range(${rows})) TO '${file}'`)
  duck.closeSync()
}

async function readParquet(file: string, bytes: Uint8Array): Promise<unknown[][]> {
  writeFileSync(file, bytes)
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await duck.runAndReadAll(`SELECT * FROM '${file}'`)
  duck.closeSync()
  return read.getRows()
}

test('[STORE-13] a load under way while its connection is edited is answered by what it then leads to', async () => {
  makeStore('endless.sqlite', ENDLESS)
  makeStore('moved.sqlite', "CREATE TABLE trades (symbol TEXT); INSERT INTO trades VALUES ('ETH')")
  const { id } = (await desk.send('POST', '/api/db/connections', connectionTo('endless.sqlite'))).json()
  const loads = [`${id}/tables/trades/data`, `${id}/tables/trades/data?offset=1`].map((way) =>
    desk.get(`/api/db/${way}`),
  )
  await desk.send('PUT', `/api/db/connections/${id}`, { connection_string: 'moved.sqlite' })
  const [page, next] = await Promise.all(loads)
  expect([page?.statusCode, page?.json().rows]).toEqual([200, [{ symbol: 'ETH' }]])
  expect([next?.statusCode, next?.json().rows]).toEqual([200, []])
})

test('[STORE-13] [STORE-21] a load fails with the reason when its connection is switched off meanwhile', async () => {
  makeStore('endless-too.sqlite', ENDLESS)
  const { id } = (await desk.send('POST', '/api/db/connections', connectionTo('endless-too.sqlite'))).json()
  const load = desk.get(`/api/db/${id}/tables/trades/data`)
  await desk.send('PUT', `/api/db/connections/${id}`, { is_active: 0 })
  expect((await load).json().detail).toBe('The connection is inactive. Activate it first.')
})

test('[STORE-10] the pages of a connection that was edited are those of what it leads to now', async () => {
  const rows = (first: number) =>
    `CREATE TABLE t (id INTEGER PRIMARY KEY);
     WITH RECURSIVE n (i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n LIMIT 6) INSERT INTO t SELECT i FROM n`
  makeStore('low.sqlite', rows(1))
  makeStore('high.sqlite', rows(101))
  const { id } = (await desk.send('POST', '/api/db/connections', connectionTo('low.sqlite'))).json()
  await desk.get(`/api/db/${id}/tables/t/data?limit=3`)
  await desk.send('PUT', `/api/db/connections/${id}`, { connection_string: 'high.sqlite' })
  const next = await desk.get(`/api/db/${id}/tables/t/data?limit=3&offset=3`)
  expect(next.json().rows).toEqual([{ id: 104 }, { id: 105 }, { id: 106 }])
})

/** A read of it never ends. */
const ENDLESS = `CREATE VIEW trades AS
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS symbol FROM n WHERE i < 0`

function makeStore(name: string, sql: string): void {
  const database = new DatabaseSync(join(desk.folder, name))
  database.exec(sql)
  database.close()
}

function connectionTo(file: string) {
  return { name: file, type: 'sqlite', database_name: 'main', connection_string: file, time_limit: 600 }
}
