import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDuck, quoteText } from '../packages/stores/src/parquet/duck.ts'
import { conclude, type Limit, median, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'
import { startBenchPostgres } from './stores.ts'

/** Pages of 50 out of five million rows over HTTP: wherever one is, the page beside it and the last one are near. */

const ROWS = 5_000_000
const PAGE = 50
const ROUNDS = 15
const LIMIT = 5

interface Store {
  name: string
  connection: { type: string; connection_string: string }
  table: string
}

const STEPS = ['first', 'next', 'prev', 'last', 'jump'] as const
type Step = (typeof STEPS)[number]

interface Read {
  ms: number
  total: number
  ids: number[]
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-paging-'))
const postgres = await startBenchPostgres()
const stores = await prepareStores()
const server = await startServerProcess(join(folder, 'data'), { BINNACLE_DATABASE_FOLDERS: folder })
const table: Record<string, object> = {}
const limits: Limit[] = []
for (const store of stores) await measure(store)
await server.end('SIGTERM')
await postgres?.end()
await rm(folder, { recursive: true })
console.log('Milliseconds, median; a jump is to a page that no page beside was seen of.')
console.table(table)
conclude(limits)

async function measure(store: Store): Promise<void> {
  const conn = await addConnection(store)
  const read = (offset: number) => readPage(conn, store.table, offset)
  const times: Record<Step, number[]> = { first: [], next: [], prev: [], last: [], jump: [] }
  await read(0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = PAGE * Math.floor(((round + 0.5) / ROUNDS) * (ROWS / PAGE))
    const pages = await readAround(read, middle)
    check(store, pages, middle)
    for (const step of STEPS) times[step].push(pages[step].ms)
  }
  table[store.name] = Object.fromEntries(STEPS.map((step) => [step, rounded(median(times[step]))]))
  for (const step of ['next', 'prev', 'last'] as const) {
    const what = `${store.name}: the ${step} page against the first`
    limits.push({ what, figure: median(times[step]) / median(times.first), limit: LIMIT, must: 'not exceed' })
  }
}

async function readAround(
  read: (offset: number) => Promise<Read>,
  middle: number,
): Promise<Record<Step, Read>> {
  const first = await read(0)
  const jump = await read(middle)
  const next = await read(middle + PAGE)
  const prev = await read(middle - PAGE)
  const last = await read(PAGE * Math.floor((first.total - 1) / PAGE))
  return { first, jump, next, prev, last }
}

function check({ name }: Store, { next, prev, last }: Record<Step, Read>, middle: number): void {
  const found = [prev.ids[0], next.ids[0], last.ids.at(-1)]
  const wanted = [middle - PAGE + 1, middle + PAGE + 1, ROWS]
  if (String(found) !== String(wanted)) throw new Error(`${name}: found ${found}, wanted ${wanted}`)
}

async function readPage(conn: string, name: string, offset: number): Promise<Read> {
  const started = performance.now()
  const path = `/api/db/${conn}/tables/${encodeURIComponent(name)}/data?limit=${PAGE}&offset=${offset}`
  const reply = await fetch(`${server.url}${path}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${text}`)
  const ms = performance.now() - started
  // The call answers so by the contract.
  const { rows, total } = JSON.parse(text) as { rows: { id: number }[]; total: number }
  return { ms, total, ids: rows.map(({ id }) => id) }
}

async function addConnection({ name, connection }: Store): Promise<string> {
  const reply = await fetch(`${server.url}/api/db/connections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, database_name: '', ...connection }),
  })
  // The call answers so by the contract.
  const { id } = (await reply.json()) as { id: number }
  return String(id)
}

async function prepareStores(): Promise<Store[]> {
  const sqlite = join(folder, 'paging.db')
  const database = new DatabaseSync(sqlite)
  database.exec('CREATE TABLE trades (id INTEGER PRIMARY KEY, symbol TEXT, price REAL)')
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO trades SELECT i, 'BTCUSDT', i * 1.5 FROM n`)
  database.close()
  const parquet = join(folder, 'parquet')
  await mkdir(parquet)
  const duck = await openDuck({ folder: parquet })
  const rows = `SELECT range AS id, 'BTCUSDT' AS symbol, range * 1.5 AS price FROM range(1, ${ROWS + 1})`
  await duck.connection.run(
    `COPY (${rows}) TO ${quoteText(join(parquet, 'trades.parquet'))} (FORMAT parquet)`,
  )
  duck.close()
  const files = [
    { name: 'SQLite', connection: { type: 'sqlite', connection_string: sqlite }, table: 'trades' },
    { name: 'Parquet', connection: { type: 'parquet', connection_string: parquet }, table: 'trades.parquet' },
  ]
  if (postgres === undefined) return files
  postgres.fill(`CREATE TABLE trades (id bigint PRIMARY KEY, symbol text, price float8);
    INSERT INTO trades SELECT i, 'BTCUSDT', i * 1.5 FROM generate_series(1, ${ROWS}) AS i`)
  postgres.fill('VACUUM ANALYZE trades')
  const connection = {
    type: 'postgresql',
    connection_string: postgres.url,
    accept_privileged_role: true,
  }
  return [{ name: 'PostgreSQL', connection, table: 'public.trades' }, ...files]
}
