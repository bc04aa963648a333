import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { countOf, until } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { killedBefore, startProgram } from '#testkit/program.ts'
import { testEnvironment } from '#testkit/running-server.ts'

type Call = (method: string, path: string, body?: object | string) => Promise<Reply>
// Replies are read as the console would, field by field.
type Reply = ReturnType<typeof Object>

interface LongWork {
  name: string
  /** The job that a person sees. */
  kind: string
  /** The server is killed right before this call of Node (kill-point.script.ts). */
  killBefore: string
  prepare?: (call: Call, dataFolder: string) => Promise<unknown>
  /** Starts the work; its answer does not come from a killed server. */
  start: (call: Call) => Promise<unknown>
  /** What is there after the next start, before the work is started again. */
  after?: (call: Call, dataFolder: string) => Promise<unknown>
  /** What is there when it was done again. */
  done: (call: Call, dataFolder: string) => Promise<unknown>
}

const LEDGER = 'Ledger'
const ledger = async (call: Call): Promise<number> =>
  (await call('GET', '/api/db/connections')).connections.find(({ name }: Reply) => name === LEDGER).id
const backupsOf = async (call: Call) => (await call('GET', `/api/db/${await ledger(call)}/backups`)).backups
const query = async (call: Call, text: string) =>
  call('POST', `/api/db/${await ledger(call)}/query`, { query: text })
const rowsOf = async (call: Call) => (await query(call, 'SELECT count(*) AS n FROM trades')).rows
const backUp = async (call: Call) => call('POST', `/api/db/${await ledger(call)}/backup`)

const taskOf = async (call: Call, kind: string) =>
  (await call('GET', '/api/admin/tasks')).tasks.find((task: Reply) => task.kind === kind).id
const runTask = async (call: Call, kind: string) =>
  call('POST', `/api/admin/tasks/${await taskOf(call, kind)}/run`)
const runsOf = async (call: Call, kind: string) =>
  (await call('GET', `/api/admin/tasks/${await taskOf(call, kind)}/history`)).runs

const OLD_MONTHS = ['2019-01', '2019-02', '2019-03']
const monthsIn = (dataFolder: string) =>
  globSync('**/2019-*.parquet', { cwd: dataFolder }).map((path) => basename(path, '.parquet'))

const FIRST_FILE = csv(0, 3)
const SECOND_FILE = csv(10, 2)
/** Minutes of BTCUSDT from the given one. */
function csv(from: number, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const at = Date.UTC(2024, 0, 15, 12, from + index)
    return `${at},42000.1,42001,41999.5,42000.7,1.25`
  })
  return `time,open,high,low,close,volume\n${rows.join('\n')}\n`
}
async function importFile(call: Call, file: string, mode = 'create'): Promise<unknown> {
  const uploaded = await call('POST', '/api/market/data-sets/uploads?filename=BTCUSDT-1m.csv', file)
  const { upload_id, mapping } = uploaded
  const set = { name: 'mine', instrument: 'BTCUSDT', mode }
  return call('POST', '/api/market/data-sets', { upload_id, mapping, ...set })
}
const barsOf = async (call: Call) => {
  const { data_sets } = await call('GET', '/api/market/data-sets')
  return data_sets[0].instruments[0].bars
}

/** In this order on one data folder: what one case leaves is the beginning of the next. The first one is the sample. */
const LONG_WORK: LongWork[] = [
  {
    name: 'import of a file, its bars stored and its data set not yet',
    kind: 'data-set.import',
    killBefore: 'renameSync data-set\\.json',
    start: (call) => importFile(call, FIRST_FILE),
    async after(call, dataFolder) {
      expect(await call('GET', '/api/market/data-sets')).toMatchObject({ data_sets: [] })
      expect(globSync('data-sets/*', { cwd: dataFolder })).toEqual([])
    },
    async done(call) {
      const { data_sets } = await call('GET', '/api/market/data-sets')
      expect(data_sets).toMatchObject([{ name: 'mine', instruments: [{ instrument: 'BTCUSDT', bars: 3 }] }])
    },
  },
  {
    name: 'export of the own stores',
    kind: 'maintenance.export.data',
    killBefore: 'rename packed',
    start: (call) => call('POST', '/api/database/exports', { stores: ['binnacle-admin'], format: 'csv' }),
    async after(call) {
      expect((await call('GET', '/api/database/exports')).files).toEqual([])
    },
    async done(call) {
      expect((await call('GET', '/api/database/exports')).files).toHaveLength(1)
    },
  },
  {
    name: 'backup of a store',
    kind: 'backup.',
    killBefore: 'rename backups/\\.new-',
    async prepare(call) {
      const added = {
        name: LEDGER,
        type: 'sqlite',
        database_name: 'main',
        connection_string: 'ledger.sqlite',
      }
      await call('POST', '/api/db/connections', { ...added, writable: true })
      await query(call, 'CREATE TABLE trades (id INTEGER PRIMARY KEY)')
      await query(call, 'INSERT INTO trades VALUES (1), (2), (3)')
    },
    start: backUp,
    async after(call) {
      expect(await backupsOf(call)).toEqual([])
    },
    async done(call) {
      expect(await backupsOf(call)).toMatchObject([{ status: 'completed' }])
    },
  },
  {
    name: 'restore of a backup',
    kind: 'restore.',
    killBefore: 'copyFile \\.restoring$',
    prepare: (call) => query(call, 'DELETE FROM trades WHERE id = 1'),
    async start(call) {
      const backup = (await backupsOf(call)).find((one: Reply) => one.backup_type === 'full')
      return call('POST', `/api/db/${await ledger(call)}/restore/${backup.id}`)
    },
    async after(call) {
      expect(await rowsOf(call)).toEqual([{ n: 2 }])
    },
    async done(call) {
      expect(await rowsOf(call)).toEqual([{ n: 3 }])
    },
  },
  {
    name: 'drill of the newest backup',
    kind: 'drill',
    killBefore: 'rm \\.drill-',
    start: async (call) => call('POST', `/api/db/${await ledger(call)}/backups/drill`),
    async done(call) {
      expect(await rowsOf(call)).toEqual([{ n: 3 }])
    },
  },
  {
    name: 'removal of expired backups',
    kind: 'backup.',
    killBefore: 'rename \\.gone-',
    prepare: async (call) =>
      call('PUT', `/api/db/${await ledger(call)}/backups/retention`, { keep_newest: 1, keep_days: 0 }),
    start: backUp,
    async after(call) {
      expect((await backupsOf(call)).map(({ status }: Reply) => status)).toContain('completed')
    },
    async done(call) {
      expect(await backupsOf(call)).toMatchObject([{ status: 'completed' }])
    },
  },
  {
    name: 'removal of old market data',
    kind: 'maintenance.clean.parquet',
    killBefore: 'rm 2019-02',
    async prepare(_call, dataFolder) {
      const folder = join(dataFolder, 'catalog', 'bars', 'OLDUSDT', '1m')
      mkdirSync(folder, { recursive: true })
      for (const month of OLD_MONTHS) writeFileSync(join(folder, `${month}.parquet`), 'old')
    },
    start: (call) => call('POST', '/api/database/clean', { cache_type: 'parquet' }),
    async after(_call, dataFolder) {
      expect(monthsIn(dataFolder)).toEqual(['2019-02', '2019-03'])
    },
    async done(_call, dataFolder) {
      expect(monthsIn(dataFolder)).toEqual([])
    },
  },
  {
    name: 'nightly check of the own stores',
    kind: 'task.stores.check',
    killBefore: 'prepare integrity_check',
    start: (call) => runTask(call, 'stores.check'),
    async after(call) {
      expect((await runsOf(call, 'stores.check'))[0]).toMatchObject({
        state: 'interrupted',
        message: 'The server stopped before this ended.',
      })
    },
    async done(call) {
      expect((await runsOf(call, 'stores.check'))[0]).toMatchObject({ state: 'done' })
    },
  },
  {
    name: 'import that adds to a data set, its bars written and its figures not yet',
    kind: 'data-set.import',
    killBefore: 'renameSync data-set\\.json',
    start: (call) => importFile(call, SECOND_FILE, 'add'),
    async after(call) {
      expect(await barsOf(call)).toBe(5)
    },
    async done(call) {
      expect(await barsOf(call)).toBe(5)
    },
  },
  {
    name: 'removal of a data set',
    kind: 'data-set.delete',
    killBefore: 'rmSync \\.import-gone-',
    start: (call) => call('DELETE', '/api/market/data-sets/mine'),
    async after(call) {
      expect((await call('GET', '/api/market/data-sets')).data_sets).toEqual([])
      await importFile(call, FIRST_FILE)
      await untilDone(call, 'data-set.import')
    },
    async done(call) {
      expect((await call('GET', '/api/market/data-sets')).data_sets).toEqual([])
    },
  },
]

test(
  `[MAINT-51] a server killed in the middle of long work says so after its next start, has no part of it, and does it again`,
  async () => {
    const cases = LONG_WORK.slice(0, countOf('interruptedWork'))
    const env = testEnvironment()
    const dataFolder = env.BINNACLE_DATA ?? ''
    let last: LongWork | undefined
    for (const work of [...cases, undefined]) {
      const server = startProgram(env, work && killedBefore(work.killBefore))
      const call = callsTo(await server.isUp())
      if (last !== undefined) await expectDoneAgain(last, call, dataFolder)
      last = work
      if (work === undefined) break
      await work.prepare?.(call, dataFolder)
      await work.start(call).catch(() => 'cut off')
      expect(await server.ended, `${work.name}: ${server.stderr()}`).toBe('SIGKILL')
    }
  },
  300_000 + LONG_WORK.length * 60_000,
)

async function expectDoneAgain(work: LongWork, call: Call, dataFolder: string): Promise<void> {
  expect(await lastJob(call, work.kind), work.name).toMatchObject({
    state: 'interrupted',
    error: 'The server stopped before this ended.',
  })
  expect(leftIn(dataFolder), work.name).toEqual([])
  await work.after?.(call, dataFolder)
  await work.start(call)
  await untilDone(call, work.kind)
  await work.done(call, dataFolder)
  expect(leftIn(dataFolder), work.name).toEqual([])
}

function untilDone(call: Call, kind: string): Promise<unknown> {
  return until(async () => expect(await lastJob(call, kind)).toMatchObject({ state: 'done' }))
}

async function lastJob(call: Call, kind: string): Promise<Reply> {
  const { jobs } = await call('GET', '/api/admin/jobs')
  return jobs.find((job: Reply) => job.kind.startsWith(kind))
}

/** Files and folders under a temporary name; the recording of the market has its own. */
function leftIn(dataFolder: string): string[] {
  const places = '{backups,data-sets,databases,exports}'
  return globSync(`${places}/**/{.new-*,.gone-*,.drill-*,.import-*,.*.restoring,*.new}`, { cwd: dataFolder })
}

function callsTo(port: number): Call {
  return async (method, path, body) => {
    const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': type },
      }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${text}`)
    return JSON.parse(text)
  }
}
