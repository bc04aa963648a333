import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ConnectionConfig, FolderAccess } from '#driver.ts'
import { createSqliteDriver } from '#sqlite/driver.ts'
import { type AtEnd, temporaryFolder } from '#testkit/temporary-folder.ts'
import { BULK_ROWS, type DriverFixture, TRADES } from './driver-fixture.ts'

const HOSTILE = [
  '"; DROP TABLE trades; --',
  "o'clock",
  'semi;colon',
  'Größe ☃ 表',
  'new\nline',
  'a.b',
  '%s?1',
]

export async function sqliteFixture(atEnd: AtEnd): Promise<DriverFixture> {
  const folder = temporaryFolder({}, atEnd)
  const file = join(folder, 'desk.db')
  const database = new DatabaseSync(file)
  atEnd(() => database.close())
  database.exec('CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL, price DECIMAL)')
  const insert = database.prepare('INSERT INTO trades VALUES (?, ?, ?)')
  for (let id = 1; id <= TRADES; id += 1) insert.run(id, id % 2 === 0 ? 'BTCUSDT' : 'ETHUSDT', id * 1.5)
  for (const name of HOSTILE) {
    database.exec(`CREATE TABLE "${name.replaceAll('"', '""')}" AS SELECT 1 AS one`)
  }
  const access: FolderAccess = { databaseFolders: [folder], dataFolder: join(folder, 'data') }
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
    kind: 'sqlite',
    open: (other) => createSqliteDriver({ ...config, ...other }, access),
    table: 'trades',
    id: 'id',
    schema: [
      { cid: 0, name: 'id', type: 'INTEGER', notnull: 0, pk: 1 },
      { cid: 1, name: 'symbol', type: 'TEXT', notnull: 1, pk: 0 },
      { cid: 2, name: 'price', type: 'DECIMAL', notnull: 0, pk: 0 },
    ],
    version: /^SQLite \d+/,
    hostileTables: HOSTILE,
    values: VALUES,
    many: "SELECT id, printf('%.100c', 'x') AS filling FROM trades",
    endless: {
      statement: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n`,
    },
    runningStatements: async () => storeWorkerProcesses(),
    connections: async () => storeWorkerProcesses().length,
    write: { statement: "UPDATE trades SET price = 1 WHERE symbol = 'BTCUSDT'", changed: TRADES / 2 },
    destructive: { statement: 'DELETE FROM trades', table: 'trades' },
    broken: 'SELECT nothing FROM nowhere',
    unreachable: {
      connectionString: join(folder, 'nowhere.db'),
      sentence: /^There is no such file in the allowed folders/,
    },
    fingerprint: async () => sqliteFingerprint(database),
    bulk: {
      source: {
        statement: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${BULK_ROWS})
          SELECT i, printf('%.1000c', 'x') FROM n`,
      },
      rows: BULK_ROWS,
    },
  }
}

/** Every row of every table. */
function sqliteFingerprint(database: DatabaseSync): string {
  const tables = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
  const contents = tables
    .filter(({ sql }) => /^CREATE TABLE/.test(String(sql)))
    .map(({ name }) => database.prepare(`SELECT * FROM "${String(name).replaceAll('"', '""')}"`).all())
  return JSON.stringify([tables, contents, database.prepare('PRAGMA user_version').all()])
}

/** The worker processes of this process. */
export function storeWorkerProcesses(): string[] {
  const list = execFileSync('ps', ['-e', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' })
  const ours = new RegExp(`^\\s*${process.pid}\\s.*store-worker-main`)
  return list.split('\n').filter((line) => ours.test(line))
}

const VALUES: DriverFixture['values'] = {
  statement: `SELECT 9007199254740993 AS big, -7 AS small, 1.5 AS decimal, 9e999 AS infinite, NULL AS nil,
    x'00ff' AS blob, '' AS empty, 1 AS twice, 2 AS twice, '☃' || char(10) || '"' AS text, 1 AS "__proto__"`,
  row: {
    big: '9007199254740993',
    small: -7,
    decimal: 1.5,
    infinite: 'Infinity',
    nil: null,
    blob: { $blob: 'AP8=', bytes: 2 },
    empty: '',
    twice: 1,
    twice_2: 2,
    text: '☃\n"',
    ['__proto__']: 1,
  },
}
