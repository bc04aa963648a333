import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { ConnectionConfig, Driver, StoreKind } from '../packages/stores/src/driver.ts'
import { openDriver } from '../packages/stores/src/open-driver.ts'
import { openDuck, quoteText } from '../packages/stores/src/parquet/duck.ts'
import { fillRedis } from '../packages/stores/src/testkit/drivers/redis-sizes.ts'
import { conclude, type Limit, median, rounded } from './figures.ts'
import { startBenchPostgres, startBenchRedis } from './stores.ts'

/** From a cancel until the store itself does nothing for us any more, on all four kinds of stores. */

const TIMES = 20
const UNDER_WAY_MS = 100
const LIMIT_MS = 1_000
const CAPS = { rows: 10_000, bytes: 16 * 1024 * 1024 }
const KEYS = 1_000_000

interface Stage {
  driver: Driver
  /** Work that does not end by itself, or not soon. */
  work(signal: AbortSignal): Promise<unknown>
  /** How much of it the store is at. */
  atWork(): Promise<number>
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-cancel-'))
const places = { databaseFolders: [folder], dataFolder: join(folder, 'data') }
const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })]
const limits: Limit[] = []
const table: Record<string, object> = {}
for (const [name, prepare] of [
  ['PostgreSQL', preparePostgres],
  ['Redis', prepareRedis],
  ['SQLite', prepareSqlite],
  ['Parquet', prepareParquet],
] as const) {
  const stage = await prepare()
  if (stage !== undefined) await measure(name, stage)
}
for (const end of ends.toReversed()) await end()
console.table(table)
conclude(limits)

async function measure(name: string, { driver, work, atWork }: Stage): Promise<void> {
  await driver.ping(new AbortController().signal)
  const tookMs: number[] = []
  for (let nth = 0; nth < TIMES; nth += 1) {
    const cancel = new AbortController()
    const working = work(cancel.signal).then(
      () => Promise.reject(new Error(`${name} ended by itself`)),
      () => undefined,
    )
    while ((await atWork()) === 0) await setTimeout(5)
    // So that it is well under way.
    await setTimeout(UNDER_WAY_MS)
    const asked = performance.now()
    cancel.abort(new Error('enough'))
    while ((await atWork()) > 0) await setTimeout(1)
    tookMs.push(performance.now() - asked)
    await working
  }
  await driver.close()
  const worst = Math.max(...tookMs)
  table[name] = { times: TIMES, 'median ms': rounded(median(tookMs)), 'worst ms': rounded(worst) }
  limits.push({
    what: `${name}: ms from cancel to nothing at work`,
    figure: worst,
    limit: LIMIT_MS,
    must: 'not exceed',
  })
}

async function preparePostgres(): Promise<Stage | undefined> {
  const server = await startBenchPostgres()
  if (server === undefined) return undefined
  const watcher = open('postgresql', server.url)
  ends.push(
    () => server.end(),
    () => watcher.close(),
  )
  const driver = open('postgresql', server.url)
  const asked = `SELECT pid FROM pg_stat_activity WHERE application_name = 'Binnacle' AND state = 'active' AND pid <> pg_backend_pid()`
  return {
    driver,
    work: (signal) => driver.run('SELECT count(*) FROM generate_series(1, 100000000000)', CAPS, signal),
    atWork: async () => (await watcher.run(asked, CAPS, new AbortController().signal)).rows.length,
  }
}

/** No single command takes long, so the work is a search through a million keys that finds nothing. */
async function prepareRedis(): Promise<Stage | undefined> {
  const server = await startBenchRedis('--enable-debug-command', 'local')
  if (server === undefined) return undefined
  ends.push(() => server.end())
  const redis = await fillRedis(server, {}, (end) => void ends.push(async () => end()))
  await redis.call('DEBUG', 'POPULATE', KEYS, 'key', 10)
  const driver = open('redis', server.url)
  const filter = { column: 'key', operator: 'contains', value: 'nowhere' } as const
  return {
    driver,
    work: (signal) => driver.page({ table: 'db0', limit: 50, offset: 0, filter }, signal),
    atWork: async () => String(await redis.client('LIST')).split('name=binnacle').length - 1,
  }
}

async function prepareSqlite(): Promise<Stage> {
  const file = join(folder, 'cancel.db')
  new DatabaseSync(file).close()
  const driver = open('sqlite', file)
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
  return { driver, work: (signal) => driver.run(endless, CAPS, signal), atWork: engines }
}

async function prepareParquet(): Promise<Stage> {
  const catalog = join(folder, 'catalog')
  await mkdir(catalog)
  const duck = await openDuck({ folder: catalog })
  const one = quoteText(join(catalog, 'one.parquet'))
  await duck.connection.run(`COPY (SELECT 1 AS one) TO ${one} (FORMAT parquet)`)
  duck.close()
  const driver = open('parquet', catalog)
  const endless = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 <> b.range % 11'
  return { driver, work: (signal) => driver.run(endless, CAPS, signal), atWork: engines }
}

function open(kind: StoreKind, connectionString: string): Driver {
  const config: ConnectionConfig = {
    id: '1',
    name: kind,
    kind,
    databaseName: '',
    connectionString,
    writable: false,
    acceptsPrivilegedRole: true,
    timeLimitMs: 600_000,
  }
  return openDriver(config, places)
}

/** Processes of ours in which an engine works on a statement. */
async function engines(): Promise<number> {
  const list = execFileSync('ps', ['-e', '-o', 'ppid=,args='], { encoding: 'utf8' })
  return list.split('\n').filter((line) => new RegExp(`^\\s*${process.pid}\\s.*store-worker-main`).test(line))
    .length
}
