import { type Driver, openDriver } from '@binnacle/stores'
import {
  type AtEnd,
  describePostgres,
  freshDatabase,
  sharedFixture,
  temporaryFolder,
} from '@binnacle/stores/testkit'
import pg from 'pg'
import { expect, test } from 'vitest'
import { csvRecords, exportedBytes, queryParquet } from '#testkit/exported-rows.ts'

/** Type, type in Parquet, values. Each type is a column c0, c1 …, filled up with NULL. */
const TYPES: [string, string, string[]][] = [
  ['boolean', 'BOOLEAN', ['true', 'false']],
  ['smallint', 'SMALLINT', ['-32768', '7']],
  ['integer', 'INTEGER', ['2147483647', '0']],
  ['bigint', 'BIGINT', ['1', '9007199254740993', '-9223372036854775808']],
  ['oid', 'UINTEGER', ['4294967295']],
  ['real', 'FLOAT', ['0.1', 'NaN', 'Infinity', '1e-30']],
  [
    'double precision',
    'DOUBLE',
    ['0.1', 'NaN', 'Infinity', '-Infinity', '-0', '1e-05', '1.7976931348623157e+308', '5'],
  ],
  ['numeric(18,4)', 'DECIMAL(18,4)', ['12345678901234.5678', '-0.0001', '1']],
  ['numeric(38,0)', 'DECIMAL(38,0)', ['99999999999999999999999999999999999999']],
  ['numeric', 'VARCHAR', ['1.500', 'NaN', 'Infinity', '1e-40', `${'9'.repeat(60)}.1`]],
  ['numeric(50,10)', 'VARCHAR', ['1.5', '-7']],
  ['money', 'VARCHAR', ['12.34', '-1']],
  ['text', 'VARCHAR', ['', ' a,b"c\r\nd ', '☃', 'null', '=1+1', '{}', "'", '\\x00']],
  ['varchar(5)', 'VARCHAR', ['', 'abc']],
  ['char(5)', 'VARCHAR', ['a', '']],
  ['"char"', 'VARCHAR', ['x']],
  ['name', 'VARCHAR', ['x']],
  ['bytea', 'BLOB', ['\\x', '\\x00ff7a', '\\x22']],
  ['date', 'DATE', ['2026-11-15', '0044-03-15 BC', 'infinity', '-infinity', '12026-01-01']],
  ['time', 'TIME', ['05:00:00.123456', '24:00:00']],
  ['timetz', 'VARCHAR', ['05:00:00.1+05:30']],
  [
    'timestamp',
    'TIMESTAMP',
    [
      '2026-11-15 05:00:00.123456',
      'infinity',
      '-infinity',
      '0044-03-15 01:02:03.5 BC',
      '12026-01-01 00:00:00',
    ],
  ],
  [
    'timestamptz',
    'TIMESTAMP WITH TIME ZONE',
    ['2026-11-15 05:00:00.123456+05:30', 'infinity', '0044-03-15 01:02:03 BC', '12026-01-01 00:00:00'],
  ],
  ['interval', 'VARCHAR', ['1 year 2 mons -3 days 04:05:06.000007', '-00:00:00.5']],
  ['uuid', 'UUID', ['7c8e4d2a-0000-4000-8000-000000000001']],
  ['json', 'JSON', ['null', '"text"', '{"a": 1,\n "a": 12345678901234567890}', '1.10']],
  ['jsonb', 'JSON', ['null', '"null"', '{"a": [12345678901234567890, 1.10]}', 'false', '7']],
  ['inet', 'VARCHAR', ['10.0.0.1/8', '::1']],
  ['cidr', 'VARCHAR', ['10.0.0.0/8']],
  ['macaddr', 'VARCHAR', ['08:00:2b:01:02:03']],
  ['bit(3)', 'VARCHAR', ['101']],
  ['varbit', 'VARCHAR', ['', '1']],
  ['point', 'VARCHAR', ['(1,2.5)']],
  ['box', 'VARCHAR', ['(1,1),(0,0)']],
  ['polygon', 'VARCHAR', ['((0,0),(1,1),(1,0))']],
  ['tsvector', 'VARCHAR', ["'a':1 'b':2"]],
  ['tsquery', 'VARCHAR', ["'a' & 'b'"]],
  ['int4range', 'VARCHAR', ['[1,5)', 'empty', '(,)']],
  ['tstzrange', 'VARCHAR', ['["2026-01-01 00:00:00+00",)']],
  ['int4multirange', 'VARCHAR', ['{[1,2),[5,7)}']],
  ['pg_lsn', 'VARCHAR', ['16/B374D848']],
  ['int2vector', 'VARCHAR', ['1 2 3']],
  ['integer[]', 'VARCHAR', ['{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[0:1]={5,6}']],
  ['bigint[]', 'VARCHAR', ['{1,9007199254740993}']],
  ['float8[]', 'VARCHAR', ['{0.5,NaN}']],
  ['boolean[]', 'VARCHAR', ['{t,f,NULL}']],
  ['text[]', 'VARCHAR', ['{"a,b","\\"",NULL,"NULL",""}']],
  ['bytea[]', 'VARCHAR', ['{"\\\\x00ff"}']],
  ['timestamptz[]', 'VARCHAR', ['{"2026-01-01 00:00:00+00"}']],
  ['box[]', 'VARCHAR', ['{(1,1),(0,0);(3,3),(2,2)}']],
  ['jsonb[]', 'VARCHAR', ['{"null",NULL,"{\\"a\\": 1}"}']],
  ['mood', 'VARCHAR', ['sad', 'not, so "sad"']],
  ['positive', 'INTEGER', ['5']],
  ['pair', 'VARCHAR', ['(1,"a,b")', '(,)']],
]

describePostgres('an export of PostgreSQL', () => {
  const ready = sharedFixture(prepare)

  test.each(TYPES.map(([type, parquet], index) => [type, parquet, `c${index}`]))(
    '[STORE-60] [STORE-61] a column of %s, in Parquet %s, is equal after a round trip',
    async (type, parquet, column) => {
      const { client, parquetTypes } = await ready()
      const valuesIn = async (table: string) =>
        (await client.query(`SELECT ${column}::text AS v FROM ${table} ORDER BY id`)).rows.map(({ v }) => v)
      const before = await valuesIn('t')
      expect(await valuesIn('fresh_csv')).toEqual(before)
      // A line of JSON lines is one row, so line breaks between the tokens of JSON become spaces.
      const inLines = type === 'json' ? before.map((text) => text?.replace('\n', ' ') ?? null) : before
      expect(await valuesIn('fresh_jsonl')).toEqual(inLines)
      expect(await valuesIn('fresh_parquet')).toEqual(before)
      expect(parquetTypes.get(column ?? '')).toBe(parquet)
    },
  )

  test('[STORE-60] the same member has the same JSON type in every line', async () => {
    const { client, driver, scratch } = await ready()
    await client.query('CREATE TABLE sizes (small int, big bigint, price numeric(18,4), note jsonb)')
    await client.query(
      `INSERT INTO sizes VALUES (1, 1, 1, '"a"'), (2, 9007199254740993, 2.5, 'null'), (3, 3, 3, NULL)`,
    )
    const lines = await exportedBytes(driver, { table: 'public.sizes' }, { format: 'jsonl', scratch })
    expect(lines.toString()).toBe(
      '{"small":1,"big":"1","price":"1.0000","note":"a"}\n' +
        '{"small":2,"big":"9007199254740993","price":"2.5000","note":null}\n' +
        '{"small":3,"big":"3","price":"3.0000"}\n',
    )
  })

  test('[STORE-62] a value that its Parquet type cannot hold is refused with row, column and advice', async () => {
    const { client, driver, scratch } = await ready()
    await client.query(`CREATE TABLE rates (rate numeric(18,4)); INSERT INTO rates VALUES (1), ('NaN')`)
    await expect(
      exportedBytes(driver, { table: 'public.rates' }, { format: 'parquet', scratch }),
    ).rejects.toMatchObject({
      code: 'store.refused',
      message:
        "Row 2 has 'NaN' in the column rate (numeric), which is DECIMAL(18,4) in Parquet and cannot hold it. Export CSV or JSON lines, or export a query that casts the column to text.",
    })
  })
})

interface Exported {
  client: pg.Client
  driver: Driver
  scratch: string
  /** By column, of the Parquet file. */
  parquetTypes: Map<unknown, unknown>
}

/** Exports a table of all types in each format, and imports each file into a fresh table. */
async function prepare(atEnd: AtEnd): Promise<Exported> {
  const { url, name } = await freshDatabase(atEnd)
  const client = new pg.Client(url)
  await client.connect()
  atEnd(() => client.end())
  await client.query(TABLES)
  await fill(client)
  const scratch = temporaryFolder({}, atEnd)
  const driver = openDriver(
    {
      id: '1',
      name: 'Desk',
      kind: 'postgresql',
      databaseName: name,
      connectionString: url,
      writable: false,
      timeLimitMs: 30_000,
    },
    { databaseFolders: [], dataFolder: scratch },
  )
  atEnd(() => driver.close())
  const exported = (format: 'csv' | 'jsonl' | 'parquet') =>
    exportedBytes(driver, { table: 'public.t' }, { format, scratch })
  await importCsv(client, await exported('csv'))
  await importJsonLines(client, await exported('jsonl'))
  const parquetTypes = await importParquet(client, await exported('parquet'), scratch)
  return { client, driver, scratch, parquetTypes }
}

const COLUMNS = TYPES.map(([type], index) => `c${index} ${type}`).join(', ')

const TABLES = `
  CREATE TYPE mood AS ENUM ('sad', 'not, so "sad"');
  CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
  CREATE TYPE pair AS (a integer, b text);
  CREATE TABLE t (id integer PRIMARY KEY, ${COLUMNS});
  CREATE TABLE fresh_csv (LIKE t);
  CREATE TABLE fresh_jsonl (LIKE t);
  CREATE TABLE fresh_parquet (LIKE t)`

async function fill(client: pg.Client): Promise<void> {
  const rows = Math.max(...TYPES.map(([, , values]) => values.length)) + 1
  for (let id = 0; id < rows; id += 1)
    await insert(client, 't', [id, ...TYPES.map(([, , values]) => values[id] ?? null)])
}

/** Each text goes through the input function of its column, as with COPY. */
async function insert(client: pg.Client, table: string, cells: readonly unknown[]): Promise<void> {
  const places = cells.map((_, index) => `$${index + 1}`).join()
  await client.query(`INSERT INTO ${table} VALUES (${places})`, [...cells])
}

async function importCsv(client: pg.Client, bytes: Buffer): Promise<void> {
  for (const record of csvRecords(bytes)) await insert(client, 'fresh_csv', record)
}

async function importJsonLines(client: pg.Client, bytes: Buffer): Promise<void> {
  const values = TYPES.map(([type], index) => jsonImport(type, `c${index}`)).join()
  for (const line of bytes.toString().trimEnd().split('\n'))
    await client.query(
      `INSERT INTO fresh_jsonl SELECT p.id, ${values} FROM json_populate_record(NULL::t, $1) AS p`,
      [line],
    )
}

/** JSON is taken as it is; json_populate_record would make NULL of a JSON null. */
function jsonImport(type: string, column: string): string {
  const member = `($1::json -> '${column}')`
  if (/^jsonb?$/.test(type)) return member
  if (type !== 'jsonb[]') return `p.${column}`
  return `CASE WHEN json_typeof${member} = 'array'
    THEN ARRAY(SELECT i::jsonb FROM json_array_elements_text(${member}) AS i) END`
}

async function importParquet(
  client: pg.Client,
  bytes: Buffer,
  folder: string,
): Promise<Exported['parquetTypes']> {
  const described = await queryParquet(bytes, folder, 'DESCRIBE SELECT * FROM rows')
  const types = new Map(described.map(([name, type]) => [name, type]))
  const texts = [...types].map(([name, type]) => {
    return type === 'BLOB' ? `'\\x' || lower(hex(${name}))` : `${name}::VARCHAR`
  })
  for (const row of await queryParquet(bytes, folder, `SELECT ${texts.join()} FROM rows`))
    await insert(client, 'fresh_parquet', row.map(ofPostgres))
  return types
}

/** DuckDB writes '0044-03-15 (BC) 10:00:00'. */
function ofPostgres(value: unknown): string | null {
  return value === null ? null : String(value).replace(/^(\S+) \(BC\)(.*)$/, '$1$2 BC')
}
