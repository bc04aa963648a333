import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Driver, openDriver } from '@binnacle/stores'
import { type AtEnd, sharedFixture, temporaryFolder } from '@binnacle/stores/testkit'
import { DuckDBBlobValue } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { csvRecords, exportedBytes, queryParquet } from '#testkit/exported-rows.ts'

type Value = null | number | bigint | string | Uint8Array

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))

/** Declared type, type in Parquet, values. Each type is a column c0, c1 …, filled up with NULL. */
const TYPES: [string, string, Value[]][] = [
  ['INTEGER', 'BIGINT', [1n, 9_007_199_254_740_993n, -9_223_372_036_854_775_808n]],
  ['BIGINT', 'BIGINT', [7n]],
  ['BOOLEAN', 'BIGINT', [0n, 1n]],
  ['REAL', 'DOUBLE', [0.1, 5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, 5e-324]],
  ['DOUBLE PRECISION', 'DOUBLE', [1.5]],
  ['NUMERIC', 'DOUBLE', [5n, 1.25]],
  ['DECIMAL(10,2)', 'DOUBLE', [1.5, 0.1 + 0.2, 3n]],
  ['TEXT', 'VARCHAR', ['', ' a,b"c\r\nd ', '☃', '5', '5.0', 'null', '=1+1']],
  ['VARCHAR(10)', 'VARCHAR', ['abc']],
  ['BLOB', 'BLOB', [bytes(''), bytes('00ff'), bytes('61')]],
  ['DATE', 'VARCHAR', ['2026-11-15', 1_700_000_000n]],
  ['DATETIME', 'VARCHAR', ['2026-11-15 05:00:00', '2026-11-15T05:00:00Z']],
  ['JSON', 'JSON', ['null', '"text"', '{"a": 12345678901234567890}', 7n]],
]

describe('an export of SQLite', () => {
  const ready = sharedFixture(prepare)

  test.each(TYPES.map(([type, parquet], index) => [type, parquet, index] as const))(
    '[STORE-60] [STORE-61] a column of %s, in Parquet %s, is equal after a round trip',
    async (_type, parquet, index) => {
      const { database, parquetTypes } = await ready()
      const valuesIn = (table: string) =>
        database
          .prepare(`SELECT typeof(c${index}) AS type, quote(c${index}) AS v FROM ${table} ORDER BY id`)
          .all()
      const before = valuesIn('t')
      expect(valuesIn('fresh_csv')).toEqual(before)
      expect(valuesIn('fresh_jsonl')).toEqual(before)
      expect(valuesIn('fresh_parquet')).toEqual(before)
      expect(parquetTypes[index + 1]).toBe(parquet)
    },
  )

  test('[STORE-60] a computed column has no type: its numbers are JSON numbers with all digits', async () => {
    const { driver, scratch } = await ready()
    const statement = `SELECT 9007199254740993 AS a, 5.0 AS b, '5' AS c, x'00ff' AS d, 9e999 AS e`
    const lines = await exportedBytes(driver, { statement }, { format: 'jsonl', scratch })
    expect(lines.toString()).toBe('{"a":9007199254740993,"b":5.0,"c":"5","d":"\\\\x00ff","e":"Infinity"}\n')
    const csv = await exportedBytes(driver, { statement }, { format: 'csv', scratch })
    expect(csv.toString()).toBe('a,b,c,d,e\r\n9007199254740993,5.0,5,\\x00ff,Infinity\r\n')
  })

  test.each([
    ['INTEGER', "'five'", "Row 1 has 'five' in the column v (INTEGER), which is BIGINT in Parquet"],
    [
      'NUMERIC',
      '9007199254740993',
      "Row 1 has '9007199254740993' in the column v (NUMERIC), which is DOUBLE",
    ],
    ['BLOB', "'abc'", "Row 1 has 'abc' in the column v (BLOB), which is BLOB in Parquet"],
    ['JSON', "'{no'", 'A value does not fit the type of its column in Parquet (Malformed JSON'],
  ])(
    '[STORE-62] a value in a column of %s that Parquet cannot hold is refused: %s',
    async (type, value, sentence) => {
      const { database, driver, scratch } = await ready()
      database.exec(
        `DROP TABLE IF EXISTS odd; CREATE TABLE odd (v ${type}); INSERT INTO odd VALUES (${value})`,
      )
      await expect(
        exportedBytes(driver, { table: 'odd' }, { format: 'parquet', scratch }),
      ).rejects.toMatchObject({ code: 'store.refused', message: expect.stringContaining(sentence) })
    },
  )
})

interface Exported {
  database: DatabaseSync
  driver: Driver
  scratch: string
  parquetTypes: unknown[]
}

/** Exports a table of all types in each format, and imports each file into a fresh table. */
async function prepare(atEnd: AtEnd): Promise<Exported> {
  const scratch = temporaryFolder({}, atEnd)
  const file = join(scratch, 'desk.db')
  const database = new DatabaseSync(file)
  atEnd(() => database.close())
  const columns = TYPES.map(([type], index) => `c${index} ${type}`).join()
  for (const table of ['t', 'fresh_csv', 'fresh_jsonl', 'fresh_parquet'])
    database.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${columns})`)
  const rows = Math.max(...TYPES.map(([, , values]) => values.length)) + 1
  for (let id = 0; id < rows; id += 1)
    insert(database, 't', [id, ...TYPES.map(([, , values]) => values[id] ?? null)])
  const driver = openDriver(
    {
      id: '1',
      name: 'Desk',
      kind: 'sqlite',
      databaseName: 'main',
      connectionString: file,
      writable: false,
      timeLimitMs: 30_000,
    },
    { databaseFolders: [scratch], dataFolder: join(scratch, 'data') },
  )
  atEnd(() => driver.close())
  const exported = (format: 'csv' | 'jsonl' | 'parquet') =>
    exportedBytes(driver, { table: 't' }, { format, scratch })
  for (const record of csvRecords(await exported('csv')))
    insert(database, 'fresh_csv', record.map(valueOfText))
  for (const line of (await exported('jsonl')).toString().trimEnd().split('\n'))
    insert(database, 'fresh_jsonl', cellsOfLine(line).map(valueOfText))
  const parquet = await exported('parquet')
  const described = await queryParquet(parquet, scratch, 'DESCRIBE SELECT * FROM rows')
  for (const row of await queryParquet(parquet, scratch, 'SELECT * FROM rows'))
    insert(database, 'fresh_parquet', row.map(valueOfDuck))
  return { database, driver, scratch, parquetTypes: described.map(([, type]) => type) }
}

function insert(database: DatabaseSync, table: string, values: readonly Value[]): void {
  database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values)
}

/** Text is converted by the column's affinity; only bytes and infinity need their own value. */
function valueOfText(text: string | null, column: number): Value {
  const parquet = TYPES[column - 1]?.[1]
  if (text === null) return null
  if (parquet === 'BLOB') return bytes(text.slice(2))
  return parquet === 'DOUBLE' ? Number(text) : text
}

/** JSON columns are stored as text, and the text of a member is its JSON. */
function cellsOfLine(line: string): (string | null)[] {
  const sources = new Map<string, string>()
  const members = JSON.parse(line, (name, value: unknown, context?: { source?: string }) => {
    if (context?.source !== undefined) sources.set(name, context.source)
    return value
  })
  return [
    members.id,
    ...TYPES.map(([type], index) => {
      const name = `c${index}`
      if (type !== 'JSON') return members[name] === null ? null : String(members[name])
      if (!(name in members)) return null
      // The only object among the values.
      return typeof members[name] === 'object' && members[name] !== null
        ? `{"a": ${sources.get('a')}}`
        : (sources.get(name) ?? null)
    }),
  ]
}

function valueOfDuck(value: unknown): Value {
  return value instanceof DuckDBBlobValue ? value.bytes : (value as Value)
}
