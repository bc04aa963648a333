import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '#sqlite/store.ts'
import { CAPS, type DriverFixture, sharedFixture } from '#testkit/drivers/driver-fixture.ts'
import { parquetFixture } from '#testkit/drivers/parquet-fixture.ts'
import { configOf, postgresFixture } from '#testkit/drivers/postgres-fixture.ts'
import { sqliteFixture } from '#testkit/drivers/sqlite-fixture.ts'
import { countOf } from '#testkit/generated.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createPostgresDriver } from './postgres/driver.ts'

const MIB = 1024 * 1024
const CELL_MIB = countOf('exhaustingCellMib')
const ROWS = countOf('exhaustingRows')

/** A statement that needs far more than it gets, and what it is answered with. */
interface Exhausting {
  what: string
  statement: string
  /** The refusal, or how the rows were cut. */
  outcome: RegExp
}

const DEEP = `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`
const OUT_OF_MEMORY = /more than 768 MiB of memory|ran out of memory|Out of Memory|out of memory/i

/** The full tier reads 20 GB from PostgreSQL, which a busy machine does not do within the limit of 30 s. */
const CUT_OR_STOPPED = /^cut by (?:bytes|nothing)$|^The statement hit the time limit/

describe('SQLite', () => {
  withstands(sqliteFixture, [
    {
      what: 'huge cells',
      statement: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
        SELECT i, printf('%.${Math.min(CELL_MIB, 60) * MIB}c', 'x') AS cell FROM n`,
      outcome: /^cut by (?:bytes|nothing)$/,
    },
    {
      what: 'a sort without end',
      statement: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i, printf('%.10000c', 'x') AS filling FROM n ORDER BY -i`,
      outcome: OUT_OF_MEMORY,
    },
    {
      what: 'a cartesian product',
      statement: 'SELECT * FROM trades a, trades b, trades c, trades d, trades e',
      outcome: /^cut by rows$/,
    },
    { what: 'deep nesting', statement: DEEP, outcome: /recursion limit|stack overflow/i },
    {
      what: 'aggregation into one cell',
      statement: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT group_concat(printf('%.10000c', 'x')) FROM (SELECT i FROM n LIMIT 10000)`,
      outcome: /too big/,
    },
  ])

  test('[STORE-34] sorts in memory, so a statement takes no space on the disk', () => {
    const file = `${temporaryFolder()}/desk.sqlite`
    const { database, guard } = openSqliteStore({ file, writable: true, hiddenColumns: [] })
    const row = guard.trust(() => database.prepare('PRAGMA temp_store').get())
    expect(Object.values(row ?? {}).map(Number)).toEqual([2])
    database.close()
  })
})

describe('Parquet', () => {
  withstands(parquetFixture, [
    {
      what: 'huge cells',
      statement: `SELECT range, repeat('x', ${CELL_MIB * MIB}) AS cell FROM range(${ROWS})`,
      outcome: /^cut by (?:bytes|nothing)$|memory/i,
    },
    {
      what: 'a sort without end',
      statement: 'SELECT range FROM range(100000000000) ORDER BY hash(range)',
      outcome: OUT_OF_MEMORY,
    },
    {
      what: 'a cartesian product',
      statement: 'SELECT a.range, b.range FROM range(1000000) a, range(1000000) b',
      outcome: /^cut by rows$/,
    },
    { what: 'deep nesting', statement: DEEP, outcome: /depth|stack|nested|memory|ended unexpectedly/i },
  ])
})

describePostgres('PostgreSQL', () => {
  withstands(postgresFixture, [
    {
      what: 'huge cells',
      statement: `SELECT n, repeat('x', ${CELL_MIB * MIB}) AS cell FROM generate_series(1, ${ROWS}) AS n`,
      outcome: CUT_OR_STOPPED,
    },
    {
      what: 'huge blobs',
      statement: `SELECT decode(repeat('ff', ${CELL_MIB * MIB}), 'hex') FROM generate_series(1, ${ROWS})`,
      outcome: CUT_OR_STOPPED,
    },
    {
      what: 'a huge error',
      statement: `SELECT repeat('x', ${CELL_MIB * MIB})::int`,
      outcome: /^Invalid input syntax for type integer/,
    },
    {
      what: 'a cartesian product',
      statement: 'SELECT * FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b',
      outcome: /^cut by rows$/,
    },
    { what: 'deep nesting', statement: DEEP, outcome: /nested too deeply|memory exhausted|stack depth/i },
  ])

  test('[STORE-32] a cut cell shows its beginning and its size', async () => {
    const driver = createPostgresDriver(configOf(await shared()))
    const statement = `SELECT repeat('x', 300000) AS text, decode(repeat('ff', 300000), 'hex') AS blob,
      (SELECT json_agg(n) FROM generate_series(1, 100000) AS n) AS list, 'short' AS short`
    const { rows } = await driver.run(statement, CAPS, never)
    await driver.close()
    const { text, blob, list, short } = { ...rows[0] }
    expect(text).toBe(`${'x'.repeat(262_144)}… (cut, 300,000 bytes in all)`)
    expect(blob).toMatchObject({ bytes: 300_000 })
    expect(String(list)).toMatch(/^\[1, 2, 3.*… \(cut, 6\d\d,\d\d\d bytes in all\)$/s)
    expect(short).toBe('short')
  })

  test('[STORE-34] temporary files of a role with a limit are limited', async () => {
    const database = await shared()
    const driver = createPostgresDriver(configOf(database))
    const statement = 'SELECT n FROM generate_series(1, 3000000) AS n ORDER BY n::text DESC'
    await expect(driver.run(statement, CAPS, never)).rejects.toThrow(/temp_file_limit/)
    await driver.close()
  })

  test('[STORE-34] temporary files of a role that may set the limit are limited to 1 GB', async () => {
    const { superUrl, name } = await shared()
    const driver = createPostgresDriver({ ...configOf({ url: superUrl, name }), acceptsPrivilegedRole: true })
    const { rows } = await driver.run("SELECT current_setting('temp_file_limit') AS bytes", CAPS, never)
    await driver.close()
    expect(rows.map((row) => ({ ...row }))).toEqual([{ bytes: '1GB' }])
  })

  const shared = sharedFixture(async (atEnd: AtEnd) => {
    const database = await freshDatabase(atEnd)
    const client = new pg.Client(database.superUrl)
    await client.connect()
    await client.query(`ALTER ROLE ${database.name} SET temp_file_limit = '10MB'`)
    await client.end()
    return database
  })
})

const never = new AbortController().signal

function withstands(
  setUp: (atEnd: AtEnd) => Promise<DriverFixture>,
  statements: readonly Exhausting[],
): void {
  const ready = sharedFixture(async (atEnd) => {
    const fixture = await setUp(atEnd)
    const driver = fixture.open()
    atEnd(() => driver.close())
    return { fixture, driver }
  })

  test.each(statements)('[STORE-33] $what', async ({ statement, outcome }) => {
    const { fixture, driver } = await ready()
    await driver.run(fixture.many, CAPS, never)
    const before = process.resourceUsage().maxRSS
    const given = await driver.run(statement, CAPS, never).then(
      ({ cut }) => `cut by ${cut ?? 'nothing'}`,
      (reason) => String(reason.message),
    )
    // In KiB; the peak of this process, which plays the server.
    const grown = (process.resourceUsage().maxRSS - before) / 1024
    expect(given.slice(0, 300)).toMatch(outcome)
    expect(given.length).toBeLessThan(10_000)
    expect(grown).toBeLessThan(200)
    expect((await driver.run(fixture.many, CAPS, never)).rows.length).toBeGreaterThan(0)
  })
}
