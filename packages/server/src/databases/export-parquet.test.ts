import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Driver, openDriver, openDuck, quoteText } from '@binnacle/stores'
import { type AtEnd, sharedFixture, temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, test } from 'vitest'
import { csvRecords, exportedBytes } from '#testkit/exported-rows.ts'

/** Type in DuckDB, type after an export, values as SQL. Each type is a column c0, c1 …, filled up with NULL. */
const TYPES: [string, string, string[]][] = [
  ['BOOLEAN', 'BOOLEAN', ['true', 'false']],
  ['TINYINT', 'TINYINT', ['-128']],
  ['INTEGER', 'INTEGER', ['2147483647']],
  ['BIGINT', 'BIGINT', ['1', '9007199254740993', '-9223372036854775808']],
  ['UBIGINT', 'UBIGINT', ['18446744073709551615']],
  ['FLOAT', 'FLOAT', ['0.1', "'NaN'", "'-Infinity'"]],
  ['DOUBLE', 'DOUBLE', ['0.1', "'NaN'", "'Infinity'", "'-0.0'", '5', '1e300']],
  ['DECIMAL(18,4)', 'DECIMAL(18,4)', ['12345678901234.5678', '-0.0001']],
  ['DECIMAL(38,0)', 'DECIMAL(38,0)', ['99999999999999999999999999999999999999']],
  ['VARCHAR', 'VARCHAR', ["''", "' a,b\"c' || chr(13) || chr(10)", "'☃'", "'=1+1'"]],
  ['BLOB', 'BLOB', ["''::BLOB", "'\\x00\\xFFa'::BLOB"]],
  ['DATE', 'DATE', ["'2026-11-15'", "'0044-03-15 (BC)'", "'infinity'", "'-infinity'"]],
  ['TIME', 'TIME', ["'05:00:00.123456'"]],
  ['TIMESTAMP', 'TIMESTAMP', ["'2026-11-15 05:00:00.123456'", "'infinity'", "'0044-03-15 (BC) 01:02:03'"]],
  ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE', ["'2026-11-15 05:00:00.5+05:30'", "'-infinity'"]],
  ['TIMESTAMP_NS', 'TIMESTAMP_NS', ["'2026-11-15 05:00:00.123456789'"]],
  ['INTERVAL', 'VARCHAR', ["'1 month 2 days 03:04:05.678'"]],
  ['UUID', 'UUID', ["'7c8e4d2a-0000-4000-8000-000000000001'"]],
  ['JSON', 'JSON', ["'null'", `'"text"'`, `'{"a":12345678901234567890}'`]],
  ['INTEGER[]', 'INTEGER[]', ['[]', '[1, NULL, 3]']],
  ['BIGINT[][]', 'BIGINT[][]', ['[[9007199254740993], NULL, []]']],
  ['BLOB[]', 'BLOB[]', ["['\\x00\\xFFa\\x5C\\x22'::BLOB]"]],
  [
    'STRUCT("a b" DECIMAL(18,4), t TIMESTAMPTZ, d DOUBLE)',
    'STRUCT("a b" DECIMAL(18,4), t TIMESTAMP WITH TIME ZONE, d DOUBLE)',
    ["{'a b': 1.5, 't': '2026-11-15 05:00:00+00', 'd': 'NaN'}", "{'a b': NULL, 't': NULL, 'd': 0.5}"],
  ],
  [
    'MAP(VARCHAR, BIGINT)',
    'MAP(VARCHAR, BIGINT)',
    ["MAP {'x, \"y\"': 9007199254740993, 'z': NULL}", 'MAP {}'],
  ],
  ['MAP(INTEGER, VARCHAR[])', 'MAP(INTEGER, VARCHAR[])', ["MAP {5: ['a'], 6: []}"]],
]

describe('an export of Parquet', () => {
  const ready = sharedFixture(prepare)

  test.each(TYPES.map(([type, parquet], index) => [type, parquet, index] as const))(
    '[STORE-60] [STORE-61] a column of %s, in Parquet %s, is equal after a round trip',
    async (_type, parquet, index) => {
      const { valuesIn, parquetTypes } = await ready()
      const before = await valuesIn('t', index)
      expect(await valuesIn('fresh_csv', index)).toEqual(before)
      expect(await valuesIn('fresh_jsonl', index)).toEqual(before)
      expect(await valuesIn('fresh_parquet', index)).toEqual(before)
      expect(parquetTypes[index + 1]).toBe(parquet)
    },
  )

  test('[STORE-61] the sum of a BIGINT column keeps all digits', async () => {
    const { driver, scratch, query } = await ready()
    const statement =
      'SELECT sum(i) AS total FROM (VALUES (9223372036854775807), (9223372036854775807)) AS v (i)'
    const bytes = await exportedBytes(driver, { statement }, { format: 'parquet', scratch })
    expect(await query(bytes, 'SELECT total::VARCHAR FROM exported')).toEqual([['18446744073709551614']])
  })
})

interface Exported {
  driver: Driver
  scratch: string
  valuesIn(table: string, column: number): Promise<unknown[]>
  /** Runs SQL on a Parquet file, which it calls `exported`. */
  query(bytes: Buffer, sql: string): Promise<unknown[][]>
  parquetTypes: unknown[]
}

/** Exports a file of all types in each format, and imports each export into a fresh table. */
async function prepare(atEnd: AtEnd): Promise<Exported> {
  const scratch = temporaryFolder({}, atEnd)
  const { connection, close } = await openDuck({ folder: scratch })
  atEnd(close)
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()
  const columns = TYPES.map(([type], index) => `c${index} ${type}`).join()
  for (const table of ['t', 'fresh_csv', 'fresh_jsonl', 'fresh_parquet'])
    await connection.run(`CREATE TABLE ${table} (id INTEGER, ${columns})`)
  const count = Math.max(...TYPES.map(([, , values]) => values.length)) + 1
  for (let id = 0; id < count; id += 1)
    await connection.run(
      `INSERT INTO t VALUES (${[id, ...TYPES.map(([, , values]) => values[id] ?? 'NULL')].join()})`,
    )
  const file = join(scratch, 't.parquet')
  await connection.run(`COPY t TO ${quoteText(file)} (FORMAT parquet)`)
  const driver = openDriver(
    {
      id: '1',
      name: 'Catalog',
      kind: 'parquet',
      databaseName: 'catalog',
      connectionString: file,
      writable: false,
      timeLimitMs: 30_000,
    },
    { databaseFolders: [scratch], dataFolder: join(scratch, 'data') },
  )
  atEnd(() => driver.close())
  const exported = (format: 'csv' | 'jsonl' | 'parquet') =>
    exportedBytes(driver, { table: 't.parquet' }, { format, scratch })
  for (const [id, ...cells] of csvRecords(await exported('csv')))
    await connection.run(`INSERT INTO fresh_csv VALUES (${[id, ...cells.map(sqlOfText)].join()})`)
  await writeFile(join(scratch, 'rows.jsonl'), await exported('jsonl'))
  await connection.run(`INSERT INTO fresh_jsonl SELECT ${['id', ...TYPES.map(sqlOfMember)].join()}
    FROM (SELECT json, (json ->> 'id')::INTEGER AS id
      FROM read_json_objects(${quoteText(join(scratch, 'rows.jsonl'))}, format = 'newline_delimited'))`)
  await writeFile(join(scratch, 'exported.parquet'), await exported('parquet'))
  await connection.run(
    `CREATE VIEW exported AS SELECT * FROM ${quoteText(join(scratch, 'exported.parquet'))}`,
  )
  const parquetTypes = (await rowsOf('DESCRIBE exported')).map(([, type]) => type)
  await connection.run('INSERT INTO fresh_parquet SELECT * FROM exported')
  return {
    driver,
    scratch,
    parquetTypes,
    valuesIn: async (table, column) =>
      (await rowsOf(`SELECT c${column}::VARCHAR FROM ${table} ORDER BY id`)).map(([value]) => value),
    async query(bytes, sql) {
      await writeFile(join(scratch, 'other.parquet'), bytes)
      return rowsOf(sql.replace('exported', quoteText(join(scratch, 'other.parquet'))))
    },
  }
}

function sqlOfText(text: string | null, index: number): string {
  const type = TYPES[index]?.[0] ?? ''
  if (text === null) return 'NULL'
  if (type === 'BLOB') return `unhex(${quoteText(text.slice(2))})`
  return isNested(type) ? nestedSql(`${quoteText(text)}::JSON`, type) : `CAST(${quoteText(text)} AS ${type})`
}

function sqlOfMember([type]: (typeof TYPES)[number], index: number): string {
  const name = `c${index}`
  if (type === 'JSON')
    return `CASE WHEN json_exists(json, '$.${name}') THEN (json -> '${name}')::VARCHAR::JSON END`
  if (isNested(type)) return nestedSql(`(json -> '${name}')`, type)
  return type === 'BLOB' ? `unhex(substr(json ->> '${name}', 3))` : `CAST(json ->> '${name}' AS ${type})`
}

function isNested(type: string): boolean {
  return /^(STRUCT|MAP)|\[\]$/.test(type)
}

/** Bytes inside have DuckDB's text form, so they pass through text. */
function nestedSql(json: string, type: string): string {
  return `CAST(CAST(${json} AS ${type.replace('BLOB', 'VARCHAR')}) AS ${type})`
}
