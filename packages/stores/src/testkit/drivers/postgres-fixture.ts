import pg from 'pg'
import type { ConnectionConfig } from '#driver.ts'
import { createPostgresDriver } from '#postgres/driver.ts'
import { freshDatabase, type TestDatabase } from '#testkit/stores/test-stores.ts'
import type { AtEnd } from '#testkit/temporary-folder.ts'
import { BULK_ROWS, type DriverFixture, TRADES } from './driver-fixture.ts'

const HOSTILE = [
  '"; DROP TABLE trades; --',
  "o'clock",
  'semi;colon',
  'Größe ☃ 表',
  'new\nline',
  'a.b',
  '%s$1',
]

export async function postgresFixture(atEnd: AtEnd): Promise<DriverFixture> {
  const database = await freshDatabase(atEnd)
  const client = await connect(database, atEnd)
  await client.query(CONTENT)
  for (const name of HOSTILE) {
    await client.query(`CREATE TABLE ${pg.escapeIdentifier(name)} AS SELECT 1 AS one`)
  }
  return {
    kind: 'postgresql',
    open: (config) => createPostgresDriver({ ...configOf(database), ...config }),
    table: 'public.trades',
    id: 'id',
    schema: [
      { cid: 0, name: 'id', type: 'bigint', notnull: 1, pk: 1 },
      { cid: 1, name: 'symbol', type: 'text', notnull: 1, pk: 0 },
      { cid: 2, name: 'price', type: 'numeric(12,2)', notnull: 0, pk: 0 },
    ],
    version: /^PostgreSQL \d+/,
    hostileTables: HOSTILE.map((name) => (name.includes('.') ? `public."${name}"` : `public.${name}`)),
    values: VALUES,
    many: "SELECT id, repeat('x', 100) AS filling FROM trades",
    endless: { statement: 'SELECT count(*) FROM generate_series(1, 100000000000)' },
    runningStatements: () => sessions(client, `state = 'active'`),
    connections: async () => (await sessions(client, 'true')).length,
    write: { statement: "UPDATE trades SET price = 1 WHERE symbol = 'BTCUSDT'", changed: TRADES / 2 },
    destructive: { statement: 'DELETE FROM trades', table: 'trades' },
    broken: 'SELECT nothing FROM nowhere',
    unreachable: {
      connectionString: database.url.replace('battery', 'wrong'),
      sentence: /^Wrong password for desk_/,
    },
    fingerprint: () => postgresFingerprint(client),
    bulk: {
      source: { statement: `SELECT generate_series(1, ${BULK_ROWS}), repeat('x', 1000)` },
      rows: BULK_ROWS,
    },
  }
}

export function configOf({ url, name }: Pick<TestDatabase, 'url' | 'name'>): ConnectionConfig {
  return {
    id: '1',
    name: 'Desk',
    kind: 'postgresql',
    databaseName: name,
    connectionString: url,
    writable: false,
    timeLimitMs: 30_000,
  }
}

/** Rows of every table, sequences and settings. */
export async function postgresFingerprint(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const contents = []
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT t::text FROM ${name} AS t ORDER BY 1`)
    contents.push([name, rows])
  }
  const { rows: rest } = await client.query(REST)
  return JSON.stringify([contents, rest])
}

async function connect({ superUrl }: TestDatabase, atEnd: AtEnd): Promise<pg.Client> {
  const client = new pg.Client(superUrl)
  await client.connect()
  atEnd(() => client.end())
  return client
}

async function sessions(client: pg.Client, condition: string): Promise<string[]> {
  const { rows } = await client.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
     WHERE application_name = 'Binnacle' AND datname = current_database() AND ${condition}`,
  )
  return rows.map(({ query }) => query)
}

const CONTENT = `
  CREATE TABLE trades (id bigint PRIMARY KEY, symbol text NOT NULL, price numeric(12, 2));
  INSERT INTO trades SELECT n, CASE WHEN n % 2 = 0 THEN 'BTCUSDT' ELSE 'ETHUSDT' END, n * 1.5
  FROM generate_series(1, ${TRADES}) AS n;
  ALTER TABLE trades OWNER TO CURRENT_USER;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;
  ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;`

/** What a statement could change besides rows. */
const REST = `
  SELECT 'setting', name, setting FROM pg_settings WHERE name NOT LIKE 'transaction%' AND source <> 'session'
  UNION ALL SELECT 'sequence', sequencename, coalesce(last_value, 0)::text FROM pg_sequences
  UNION ALL SELECT 'relation', relname, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'role', rolname, rolsuper::text FROM pg_roles WHERE rolname !~ '^desk_' OR rolname = current_database()
  UNION ALL SELECT 'large object', oid::text, '' FROM pg_largeobject_metadata
  UNION ALL SELECT 'slot', slot_name, slot_type FROM pg_replication_slots
  UNION ALL SELECT 'lock', classid::text, objid::text FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY 1, 2, 3`

const VALUES: DriverFixture['values'] = {
  statement: `SELECT 9007199254740993 AS big, -7::int AS small, 0.10::numeric AS decimal, 'NaN'::float8 AS nan,
    '-Infinity'::float8 AS infinite, true AS flag, NULL::int AS nothing, '2026-11-15 05:00:00.123456+02'::timestamptz AS at,
    '2026-11-15'::date AS day, '\\x00ff'::bytea AS blob, '{"a": [1, {"b": 12345678901234567890}]}'::jsonb AS json,
    ARRAY[1, NULL, 3] AS list, ARRAY['a,b', '"', '{}', NULL, ''] AS texts, '' AS empty, 1 AS twice, 2 AS twice,
    E'☃\\n"' AS text, 1 AS "__proto__", interval '1 day 2 hours' AS span`,
  row: {
    big: '9007199254740993',
    small: -7,
    decimal: '0.10',
    nan: 'NaN',
    infinite: '-Infinity',
    flag: true,
    nothing: null,
    at: '2026-11-15T03:00:00.123456Z',
    day: '2026-11-15',
    blob: { $blob: 'AP8=', bytes: 2 },
    json: { a: [1, { b: '12345678901234567890' }] },
    list: [1, null, 3],
    texts: ['a,b', '"', '{}', null, ''],
    empty: '',
    twice: 1,
    twice_2: 2,
    text: '☃\n"',
    ['__proto__']: 1,
    span: 'P1DT2H',
  },
}
