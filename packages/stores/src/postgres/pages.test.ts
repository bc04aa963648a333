import pg from 'pg'
import { expect, test } from 'vitest'
import type { PageRequest } from '#driver.ts'
import { sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { configOf } from '#testkit/drivers/postgres-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { createPostgresDriver } from './driver.ts'

describePostgres('a page', () => {
  const store = sharedFixture(prepare)
  const never = new AbortController().signal
  const read = async (request: Partial<PageRequest> & { table: string }) =>
    (await store()).driver.page({ limit: 50, offset: 0, ...request }, never)

  test('[CALL-29] shows the first KiB of a blob and its whole size', async () => {
    const { rows } = await read({ table: 'public.files' })
    expect(rows.map((row) => ({ ...row }))).toEqual([
      {
        content: { $blob: Buffer.alloc(1024, 'x').toString('base64'), bytes: 5_000_000 },
        name: 'a',
        other: null,
      },
      { content: { $blob: 'AA==', bytes: 1 }, name: 'b', other: { $blob: '/w==', bytes: 1 } },
    ])
  })

  test('goes by a key of several columns, forward and back', async () => {
    const table = 'public.fills'
    const first = await read({ table, limit: 30 })
    const next = await read({
      table,
      limit: 30,
      offset: 30,
      anchor: { key: first.lastKey ?? [], side: 'after' },
    })
    const back = await read({ table, limit: 30, anchor: { key: next.firstKey ?? [], side: 'before' } })
    expect(first.lastKey).toEqual(['A', '30'])
    expect(next.rows[0]).toMatchObject({ symbol: 'A', nr: 31 })
    expect(back.rows).toEqual(first.rows)
  })

  test('goes by a unique index where there is no primary key', async () => {
    expect((await read({ table: 'public.unkeyed', limit: 2 })).lastKey).toEqual(['2'])
  })

  test('has no key where rows have none, and still every row once', async () => {
    const pages = [
      await read({ table: 'public.heap', limit: 60 }),
      await read({ table: 'public.heap', limit: 60, offset: 60 }),
    ]
    expect(pages.map(({ firstKey }) => firstKey)).toEqual([undefined, undefined])
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ n }) => n))).size).toBe(100)
  })

  test('of a large table returns an estimate, and its last page holds its last rows', async () => {
    const { total, totalIsEstimate } = await read({ table: 'public.large' })
    expect(totalIsEstimate).toBe(true)
    expect(Math.abs(total - 150_000)).toBeLessThan(1_500)
    const last = await read({ table: 'public.large', offset: 50 * Math.floor((total - 1) / 50) })
    expect(last.rows.at(-1)).toMatchObject({ id: 150_000 })
  })

  test('of a view is counted', async () => {
    expect(await read({ table: 'public.seen' })).toMatchObject({ total: 100, totalIsEstimate: false })
  })

  test.each([
    ['eq', '2.50', 1],
    ['ne', '2.5', 99],
    ['lt', '2.5', 1],
    ['ge', '2.5', 99],
    ['contains', '.25', 25],
    ['null', '', 0],
    ['not-null', '', 100],
  ] as const)('filters a decimal by %s %s', async (operator, value, found) => {
    expect((await read({ table: 'public.prices', filter: { column: 'price', operator, value } })).total).toBe(
      found,
    )
  })

  test('refuses a filter that makes no sense, by its field', async () => {
    await expect(
      read({ table: 'public.prices', filter: { column: 'price', operator: 'eq', value: 'cheap' } }),
    ).rejects.toMatchObject({
      code: 'request.invalid',
      message: "'cheap' is not a valid value for price (numeric).",
      errors: [{ field: 'query.filter_value' }],
    })
    await expect(
      read({ table: 'public.prices', filter: { column: 'note', operator: 'lt', value: '{}' } }),
    ).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field: 'query.filter_operator' }] })
  })

  test('[STORE-9] takes columns by their names, whatever is in them', async () => {
    const column = 'we"ird; DROP TABLE heap; --\n☃'
    const sort = { column, descending: true }
    const filter = { column, operator: 'eq', value: "'; DROP TABLE heap; --" } as const
    expect((await read({ table: 'public.odd', sort })).rows.map((row) => row[column])).toEqual([
      'z',
      "'; DROP TABLE heap; --",
    ])
    expect((await read({ table: 'public.odd', filter })).total).toBe(1)
  })

  test('sorts with ties in one order from both ends', async () => {
    const sort = { column: 'symbol', descending: true }
    const whole = await read({ table: 'public.fills', limit: 100, sort })
    const last = await read({ table: 'public.fills', limit: 30, offset: 60, sort })
    expect(last.rows).toEqual(whole.rows.slice(60, 90))
  })
})

async function prepare(atEnd: AtEnd) {
  const database = await freshDatabase(atEnd)
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query(CONTENT)
  await client.query('ANALYZE large')
  await client.end()
  const driver = createPostgresDriver(configOf(database))
  atEnd(() => driver.close())
  return { driver }
}

const CONTENT = `
  CREATE TABLE files (content bytea, name text PRIMARY KEY, other bytea);
  INSERT INTO files VALUES (convert_to(repeat('x', 5000000), 'UTF8'), 'a', NULL), ('\\x00', 'b', '\\xff');
  CREATE TABLE fills (symbol text, nr int, PRIMARY KEY (symbol, nr));
  INSERT INTO fills SELECT s, n FROM unnest(ARRAY['A', 'B']) AS s, generate_series(1, 45) AS n;
  CREATE TABLE unkeyed (n int NOT NULL UNIQUE);
  INSERT INTO unkeyed VALUES (2), (1), (3);
  CREATE TABLE heap (n int);
  INSERT INTO heap SELECT generate_series(1, 100);
  CREATE VIEW seen AS SELECT * FROM heap;
  CREATE TABLE large (id int PRIMARY KEY);
  INSERT INTO large SELECT generate_series(1, 150000);
  CREATE TABLE odd ("we""ird; DROP TABLE heap; --\n☃" text);
  INSERT INTO odd VALUES ('z'), ('''; DROP TABLE heap; --');
  CREATE TABLE prices (price numeric, note json);
  INSERT INTO prices SELECT n * 1.25, '{}' FROM generate_series(1, 100) AS n;`
