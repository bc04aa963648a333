import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionConfig, FolderAccess } from '#driver.ts'
import { createParquetDriver } from '#parquet/driver.ts'
import { openDuck, quoteText } from '#parquet/duck.ts'
import { type AtEnd, temporaryFolder } from '#testkit/temporary-folder.ts'
import { BULK_ROWS, type DriverFixture, TRADES } from './driver-fixture.ts'
import { storeWorkerProcesses } from './sqlite-fixture.ts'

const HOSTILE = [
  '"; DROP VIEW trades; --',
  "o'clock",
  'semi;colon',
  'Größe ☃ 表',
  'new\nline',
  'a.b',
  'glob[*]?',
].map((name) => `${name}.parquet`)

export async function parquetFixture(atEnd: AtEnd): Promise<DriverFixture> {
  const base = temporaryFolder({ 'outside.csv': 'a,b\n1,2\n' }, atEnd)
  const folder = join(base, 'catalog')
  mkdirSync(folder)
  await fill(folder)
  const access: FolderAccess = { databaseFolders: [base], dataFolder: join(base, 'data') }
  const config = parquetTarget(folder)
  return {
    kind: 'parquet',
    open: (other) => createParquetDriver({ ...config, ...other }, access),
    table: 'trades.parquet',
    id: 'id',
    schema: [
      { cid: 0, name: 'id', type: 'BIGINT', notnull: 0, pk: 0 },
      { cid: 1, name: 'symbol', type: 'VARCHAR', notnull: 0, pk: 0 },
      { cid: 2, name: 'price', type: 'DECIMAL(12,2)', notnull: 0, pk: 0 },
    ],
    version: /^Parquet, read by DuckDB v\d+/,
    hostileTables: HOSTILE,
    values: VALUES,
    many: `SELECT id, repeat('x', 100) AS filling FROM "trades.parquet"`,
    endless: {
      statement: 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 <> b.range % 11',
    },
    runningStatements: async () => storeWorkerProcesses(),
    connections: async () => storeWorkerProcesses().length,
    broken: 'SELECT nothing FROM nowhere',
    unreachable: {
      connectionString: join(base, 'nowhere'),
      sentence: /^There is no such file in the allowed folders/,
    },
    fingerprint: async () => folderFingerprint(base),
    bulk: {
      source: { statement: `SELECT range, repeat('x', 1000) FROM range(${BULK_ROWS})` },
      rows: BULK_ROWS,
    },
  }
}

function parquetTarget(folder: string): ConnectionConfig {
  return {
    id: '1',
    name: 'Catalog',
    kind: 'parquet',
    databaseName: 'catalog',
    connectionString: folder,
    writable: false,
    timeLimitMs: 30_000,
  }
}

/** Every file with its size and content. */
function folderFingerprint(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return JSON.stringify(
    files.map((name) => {
      const path = join(folder, name)
      const isFile = statSync(path).isFile()
      return [name, isFile && createHash('sha256').update(readFileSync(path)).digest('hex')]
    }),
  )
}

async function fill(folder: string): Promise<void> {
  const duck = await openDuck({ folder })
  const write = (rows: string, name: string) =>
    duck.connection.run(`COPY (${rows}) TO ${quoteText(join(folder, name))} (FORMAT parquet)`)
  await write(
    `SELECT range AS id, CASE WHEN range % 2 = 0 THEN 'BTCUSDT' ELSE 'ETHUSDT' END AS symbol,
       (range * 1.5)::DECIMAL(12, 2) AS price FROM range(1, ${TRADES + 1})`,
    'trades.parquet',
  )
  for (const name of HOSTILE) await write('SELECT 1 AS one', name)
  duck.close()
}

const VALUES: DriverFixture['values'] = {
  statement: `SELECT 9007199254740993 AS big, -7 AS small, 0.10::DECIMAL(5, 2) AS decimal, 'NaN'::DOUBLE AS nan,
    '-Infinity'::DOUBLE AS infinite, true AS flag, NULL AS nothing, TIMESTAMP '2026-11-15 05:00:00.123456' AS at,
    DATE '2026-11-15' AS day, '\\x00\\xFF'::BLOB AS blob, [1, NULL, 3] AS list, {'a': 1} AS struct, '' AS empty,
    1 AS twice, 2 AS twice, '☃' || chr(10) || '"' AS text, 170141183460469231731687303715884105727 AS huge`,
  row: {
    big: '9007199254740993',
    small: -7,
    decimal: '0.10',
    nan: 'NaN',
    infinite: '-Infinity',
    flag: true,
    nothing: null,
    at: '2026-11-15T05:00:00.123456',
    day: '2026-11-15',
    blob: { $blob: 'AP8=', bytes: 2 },
    list: [1, null, 3],
    struct: { a: 1 },
    empty: '',
    twice: 1,
    twice_2: 2,
    text: '☃\n"',
    huge: '170141183460469231731687303715884105727',
  },
}
