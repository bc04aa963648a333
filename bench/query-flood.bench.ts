import { execFileSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { openDuck, quoteText } from '../packages/stores/src/parquet/duck.ts'
import { conclude, type Limit, median, rounded } from './figures.ts'
import type { LoadResult } from './load-client.ts'
import { runLoad } from './run-load.ts'
import { startServerProcess } from './server-process.ts'
import { startBenchPostgres } from './stores.ts'

/**
 * What a query of 50 million rows, or one that asks for more than there is (huge cells, a sort without end, a cartesian
 * product, deep recursion), does to the server: its memory, the disk, and how long others wait for an answer.
 */

const ROWS = 50_000_000
const SECONDS = 4
const ROUNDS = 3
const MEMORY_LIMIT_MB = 100
const WAIT_LIMIT = 2
/** What a PostgreSQL statement may write, and some for the journal meanwhile. */
const DISK_LIMIT_MB = 1_100
const PROBE_EVERY_MS = 5
const AT_ONCE = 3

interface Store {
  name: string
  connection: { type: string; connection_string: string; time_limit?: number }
  flood: string
  /** Statements that are cut, refused or stopped, by what they exhaust. */
  exhausting?: Readonly<Record<string, string>>
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-flood-'))
const postgres = await startBenchPostgres()
const stores = await prepareStores()
const server = await startServerProcess(join(folder, 'data'), { BINNACLE_DATABASE_FOLDERS: folder })
const limits: Limit[] = []
const table: Record<string, object> = {}
for (const store of stores) {
  await measure(store)
  await measureExhausting(store)
}
await server.end('SIGTERM')
await postgres?.end()
await rm(folder, { recursive: true })
console.table(table)
conclude(limits)

async function measure({ name, connection, flood }: Store): Promise<void> {
  const conn = await addConnection(name, connection)
  const query = () => send(`/api/db/${conn}/query`, { query: flood })
  await query()
  const before = rss()
  const acts = {
    query: (signal: AbortSignal) => repeat(query, signal),
    export: (signal: AbortSignal) => download(conn, flood, signal),
  }
  // Round by round, since the machine may be busy with other things now and not then.
  const rounds: Round<keyof typeof acts>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await probe()
    rounds.push({ idle, query: await during(acts.query), export: await during(acts.export) })
  }
  for (const act of ['query', 'export'] as const) {
    const { grown, against } = printRounds(`${name}, ${act}`, rounds, act, before.server)
    limits.push(
      {
        what: `${name}, ${act}: MB the server grew`,
        figure: grown,
        limit: MEMORY_LIMIT_MB,
        must: 'not exceed',
      },
      {
        what: `${name}, ${act}: p99 of GET /health against idle`,
        figure: against,
        limit: WAIT_LIMIT,
        must: 'not exceed',
      },
    )
  }
  // No limit holds for several floods without a pause; the figures are printed all the same.
  const pressed: Round<'pressed'>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    pressed.push({ idle: await probe(), pressed: await during((signal) => press(query, signal)) })
  }
  printRounds(`${name}, ${AT_ONCE} queries without a pause`, pressed, 'pressed', before.server)
}

async function measureExhausting({ name, connection, exhausting = {} }: Store): Promise<void> {
  const conn = await addConnection(`${name}, exhausting`, { ...connection, time_limit: SECONDS })
  for (const [what, query] of Object.entries(exhausting)) {
    const title = `${name}, ${what}`
    const run = () => attempt(`/api/db/${conn}/query`, { query })
    await run()
    const before = rss()
    const freeBefore = freeMb()
    const rounds: Round<'query'>[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ idle: await probe(), query: await during((signal) => repeat(run, signal)) })
    }
    const { grown, against } = printRounds(title, rounds, 'query', before.server)
    const written = freeBefore - Math.min(...rounds.map((round) => round.query.most.leastFree))
    table[title] = { ...table[title], 'disk MB': rounded(Math.max(0, written)) }
    limits.push(
      { what: `${title}: MB the server grew`, figure: grown, limit: MEMORY_LIMIT_MB, must: 'not exceed' },
      { what: `${title}: p99 of GET /health`, figure: against, limit: WAIT_LIMIT, must: 'not exceed' },
      { what: `${title}: MB of the disk`, figure: written, limit: DISK_LIMIT_MB, must: 'not exceed' },
    )
  }
}

type During = Awaited<ReturnType<typeof during>>
type Round<Act extends string> = { idle: LoadResult } & Record<Act, During>

function printRounds<Act extends string>(title: string, rounds: Round<Act>[], act: Act, beforeMb: number) {
  const seen = rounds.map((round): During => round[act])
  const grown = Math.max(...seen.map(({ most }) => most.server)) - beforeMb
  const against = median(rounds.map((round, nth) => (seen[nth]?.waits.p99Ms ?? 0) / round.idle.p99Ms))
  table[title] = {
    'p99 idle ms': rounded(median(rounds.map(({ idle }) => idle.p99Ms))),
    'p99 ms': rounded(median(seen.map(({ waits }) => waits.p99Ms))),
    'against idle': rounded(against),
    'longest ms': rounded(Math.max(...seen.map(({ waits }) => waits.longestMs))),
    'server grew MB': rounded(grown),
    'its processes MB': rounded(Math.max(...seen.map(({ most }) => most.children))),
  }
  return { grown, against }
}

/** Probes the server while the work goes on, and keeps the largest memory seen. */
async function during(work: (signal: AbortSignal) => Promise<void>) {
  const stop = new AbortController()
  const most = { server: 0, children: 0, leastFree: Number.POSITIVE_INFINITY }
  const sampling = setInterval(() => {
    const now = rss()
    most.server = Math.max(most.server, now.server)
    most.children = Math.max(most.children, now.children)
    most.leastFree = Math.min(most.leastFree, freeMb())
  }, 200)
  const working = work(stop.signal)
  const waits = await probe()
  clearInterval(sampling)
  stop.abort()
  await working
  return { waits, most }
}

/** As a person does who tries it again and again. */
async function repeat(query: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await query()
    await setTimeout(1_000)
  }
}

/** Several at once, again and again without a pause. */
async function press(query: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  const one = async () => {
    while (!signal.aborted) await query()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function download(conn: string, query: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ query, format: 'csv' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}/api/db/${conn}/export`, { method: 'POST', headers, body, signal })
  try {
    for await (const _ of reply.body ?? []);
  } catch (failure) {
    if (!signal.aborted) throw failure
  }
}

function probe(): Promise<LoadResult> {
  return runLoad({
    url: server.url,
    method: 'GET',
    path: '/health',
    expected: 200,
    clients: 1,
    seconds: SECONDS,
    everyMs: PROBE_EVERY_MS,
  })
}

async function addConnection(name: string, connection: Store['connection']): Promise<string> {
  const added = await send('/api/db/connections', { name, database_name: '', ...connection })
  return String(added.id)
}

/** A refusal is an answer too. */
async function attempt(path: string, body: object): Promise<{ isOk: boolean; answer: unknown }> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await reply.json()
  return { isOk: reply.ok && Object(answer).success !== false, answer }
}

async function send(path: string, body: object): Promise<{ id?: number }> {
  const { isOk, answer } = await attempt(path, body)
  if (!isOk) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  // The calls made here answer with an object, and one of them with an id in it.
  return answer as { id?: number }
}

function freeMb(): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / 1e6
}

/** The memory of the server's own process, and of those that work for it, in MB. */
function rss(): { server: number; children: number } {
  const { pid } = server.child
  const lines = execFileSync('ps', ['-e', '-o', 'ppid=,pid=,rss='], { encoding: 'utf8' }).split('\n')
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const sum = (isCounted: (parent?: number, own?: number) => boolean) =>
    processes.reduce((all, [parent, own, kib = 0]) => (isCounted(parent, own) ? all + kib / 1000 : all), 0)
  return { server: sum((_, own) => own === pid), children: sum((parent) => parent === pid) }
}

async function prepareStores(): Promise<Store[]> {
  const sqlite = join(folder, 'flood.db')
  new DatabaseSync(sqlite).close()
  const parquet = join(folder, 'parquet')
  await mkdir(parquet)
  const duck = await openDuck({ folder: parquet })
  await duck.connection.run(
    `COPY (SELECT 1 AS one) TO ${quoteText(join(parquet, 'one.parquet'))} (FORMAT parquet)`,
  )
  duck.close()
  const files = [
    {
      name: 'SQLite',
      connection: { type: 'sqlite', connection_string: sqlite },
      flood: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i, 'row ' || i AS text FROM n`,
      exhausting: {
        'huge cells': `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT printf('%.60000000c', 'x') AS cell FROM n`,
        'a sort without end': `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, printf('%.10000c', 'x') AS filling FROM n ORDER BY -i`,
        'a cartesian product': `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n a, n b, n c`,
        'deep recursion':
          'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
      },
    },
    {
      name: 'Parquet',
      connection: { type: 'parquet', connection_string: parquet },
      flood: `SELECT range, 'row ' || range AS text FROM range(${ROWS})`,
      exhausting: {
        'huge cells': `SELECT repeat('x', 200000000) AS cell FROM range(100)`,
        'a sort without end': 'SELECT range FROM range(100000000000) ORDER BY hash(range)',
        'a cartesian product':
          'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range <> b.range',
        'deep recursion':
          'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
      },
    },
  ]
  if (postgres === undefined) return files
  const connection = {
    type: 'postgresql',
    connection_string: postgres.url,
    accept_privileged_role: true,
  }
  const flood = `SELECT n, 'row ' || n AS text FROM (SELECT generate_series(1, ${ROWS}) AS n) AS s`
  const exhausting = {
    'huge cells': "SELECT repeat('x', 200000000) AS cell FROM generate_series(1, 100)",
    'a sort without end': 'SELECT n FROM generate_series(1, 10000000000) AS n ORDER BY n::text DESC',
    'a cartesian product':
      'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE a <> b',
    'deep recursion': 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  }
  return [{ name: 'PostgreSQL', connection, flood, exhausting }, ...files]
}
