import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type DataSetImport, type DataSetUpload, dataSets } from '@binnacle/contract'
import { createRandom, standardInstruments } from '@binnacle/engine'
import { type AtEnd, afterAllTests, temporaryFolder, until } from '@binnacle/stores/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { createHttpApp } from '#http/app.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { openMarketOf } from '#testkit/market.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { type DataSetsOptions, openDataSets } from './data-sets/data-sets.ts'
import { addDataSetRoutes } from './data-sets.routes.ts'
import { addMarketRoutes } from './market.routes.ts'

const START = Date.UTC(2024, 0, 15, 12)
const MINUTE = 60_000

interface ImportAppOptions extends Partial<Pick<DataSetsOptions, 'uploadLimitBytes' | 'freeSpace' | 'warn'>> {
  atEnd?: AtEnd
  folder?: string
  logger?: FastifyBaseLogger
}

async function anImportApp({
  atEnd = onTestFinished,
  folder = temporaryFolder({}, atEnd),
  logger = silentLog,
  uploadLimitBytes = 1024 * 1024,
  freeSpace = async () => 1e12,
  warn = () => {},
}: ImportAppOptions = {}) {
  const store = await openAdminStore(':memory:')
  const { jobs } = openAdminServices({ store, urlOf: () => 'http://localhost' })
  const instruments = standardInstruments()
  const sets = await openDataSets({ folder, instruments, jobs, uploadLimitBytes, freeSpace, warn })
  atEnd(async () => {
    await jobs.close(5_000)
    sets.close()
    await store.close()
  })
  const desk = await openInMemoryDesk()
  atEnd(() => desk.close())
  const app = createHttpApp({ logger })
  addMarketRoutes(app, desk, { market: await openMarketOf(desk, atEnd), dataSets: sets })
  addDataSetRoutes(app, sets, jobs)

  const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const reply = await app.inject({ method, url: `/api/market/${url}`, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json() }
  }
  const upload = async (payload: string | Buffer | Readable, filename = 'BTCUSDT-1m-2024-01.csv') => {
    const url = `/api/market/data-sets/uploads?filename=${filename}`
    const headers = { 'content-type': 'application/octet-stream' }
    const reply = await app.inject({ method: 'POST', url, payload, headers })
    return { status: reply.statusCode, body: reply.json() }
  }
  /** Imports an upload as its guess says and waits for the end. */
  const importAs = async (
    name: string,
    file: string | Buffer,
    changed: object = {},
  ): Promise<DataSetImport> => {
    const { body: uploaded }: { body: DataSetUpload } = await upload(file)
    const { body, status } = await send('POST', 'data-sets', {
      upload_id: uploaded.upload_id,
      name,
      instrument: 'BTCUSDT',
      mapping: uploaded.mapping ?? {},
      ...changed,
    })
    expect(status, JSON.stringify(body)).toBe(202)
    return until(async () => {
      const progress = (await send('GET', `data-sets/imports/${body.job_id}`)).body
      expect(['done', 'failed', 'cancelled']).toContain(progress.state)
      return progress
    })
  }
  const bars = async (name: string, interval = '1m') =>
    (await send('GET', `bars?instrument=BTCUSDT&interval=${interval}&data_set=${name}`)).body.bars
  return { app, folder, store, send, upload, importAs, bars }
}

/** Most tests share one, each with data sets of other names. */
let shared: Awaited<ReturnType<typeof anImportApp>>
const afterAll = afterAllTests()
beforeAll(async () => {
  shared = await anImportApp({ atEnd: afterAll })
})

/** Three minutes as an exchange dumps them: open time, prices, volume, close time and more. */
function klines(time: (ms: number) => string, count = 3): string {
  return Array.from({ length: count }, (_, minute) => {
    const at = START + minute * MINUTE
    return `${time(at)},42000.1${minute},42001.00,41999.5,42000.75,1.25000000,${time(at + MINUTE - 1)},52500.9,120,0.6,25000.1,0`
  }).join('\n')
}

const KLINE_HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore'

const THREE_BARS = [0, 1, 2].map((minute) => ({
  at: new Date(START + minute * MINUTE).toISOString(),
  open: Number(`42000.1${minute}`),
  high: 42_001,
  low: 41_999.5,
  close: 42_000.75,
  volume: 1.25,
}))

test.each([
  ['milliseconds without header', klines((ms) => String(ms))],
  ['microseconds without header', klines((ms) => String(ms * 1_000))],
  ['seconds with header', `${KLINE_HEADER}\n${klines((ms) => String(Math.floor(ms / 1_000)))}\n`],
  ['milliseconds with header', `${KLINE_HEADER}\n${klines((ms) => String(ms))}`],
  [
    'ISO times',
    `Date,Open,High,Low,Close,Volume BTC\n${klines((ms) => new Date(ms).toISOString()).replaceAll(/(1\.25000000),.*/g, '$1')}`,
  ],
  [
    'times without zone and semicolons',
    `time;open;high;low;close;volume\n${klines((ms) =>
      new Date(ms).toISOString().replace('T', ' ').slice(0, 19),
    )
      .replaceAll(',', ';')
      .replaceAll(/(1\.25000000);.*/g, '$1')}`,
  ],
  [
    'quotes and carriage returns',
    `"timestamp","open","high","low","close","volume"\r\n${klines((ms) => `"${ms}"`)
      .replaceAll(/(1\.25000000),.*/g, '$1')
      .replaceAll('\n', '\r\n')}\r\n`,
  ],
])('[MKT-10] a dump with %s is understood without editing', async (_, text) => {
  const { upload, send } = shared
  const { body } = await upload(text)
  expect(body).toMatchObject({ format: 'csv', instrument: 'BTCUSDT', mapping: { kind: 'bars' } })
  const { upload_id, instrument, mapping } = body
  const preview = await send('POST', 'data-sets/preview', { upload_id, instrument, mapping })
  expect(preview.body).toMatchObject({ interval: '1m', rows_examined: 3, bad_rows: 0, bars: THREE_BARS })
})

test('[MKT-10] a dump is imported as it was understood', async () => {
  const { importAs, bars } = shared
  const text = klines((ms) => String(ms))
  const { report, state, error } = await importAs('dump', text)
  expect({ state, error }).toEqual({ state: 'done', error: null })
  expect(report).toMatchObject({
    rows: 3,
    bars: 3,
    bad_rows: 0,
    bad: [],
    interval: '1m',
    gaps: 0,
    rounded: 0,
  })
  expect(await bars('dump')).toEqual(THREE_BARS)
  expect(await bars('dump', '1h')).toMatchObject([{ open: 42_000.1, close: 42_000.75, volume: 3.75 }])
})

test('[MKT-11] a dry run reports the whole file and stores nothing, and a preview shows the first bars', async () => {
  const { folder, importAs, send, upload } = shared
  const text = klines((ms) => String(ms), 500)
  const { body: uploaded } = await upload(text)
  const preview = await send('POST', 'data-sets/preview', {
    upload_id: uploaded.upload_id,
    instrument: 'BTCUSDT',
    mapping: uploaded.mapping,
  })
  expect(preview.body).toMatchObject({ interval: '1m', rows_examined: 500, bad_rows: 0 })
  expect(preview.body.bars).toHaveLength(20)
  const { report } = await importAs('checked', text, { dry_run: true })
  expect(report).toMatchObject({
    dry_run: true,
    rows: 500,
    bars: 500,
    to: new Date(START + 499 * MINUTE).toISOString(),
  })
  expect(await namesListed(send)).not.toContain('checked')
  expect(readdirSync(folder)).not.toContain('checked')
})

test('[MAINT-58] the audit record of a data set that is only checked says so', async () => {
  const { store, importAs } = await anImportApp()
  const text = klines(String)
  await importAs('audited', text, { dry_run: true })
  await importAs('audited', text)
  const lines = await store.audit.page({ action: 'dataSets.import' }, Number.MAX_SAFE_INTEGER, 10)
  const job = { kind: 'data-set.import', state: 'queued' }
  expect(lines.map(({ after }) => JSON.parse(after ?? ''))).toEqual([
    { ...job, title: 'Import BTCUSDT-1m-2024-01.csv as audited' },
    { ...job, title: 'Check BTCUSDT-1m-2024-01.csv as audited', dry_run: true },
  ])
})

test('[MKT-12] bad rows are left out and listed with line and reason', async () => {
  const { importAs, bars } = shared
  const rows = [
    'time,open,high,low,close,volume',
    `${START},1,2,1,2,1`,
    'soon,1,2,1,2,1',
    `${START + MINUTE},1,x,1,2,1`,
    `${START + 2 * MINUTE},1,2,1`,
    `${START + 3 * MINUTE},3,2,1,2,1`,
    '',
    `${START + 4 * MINUTE},1,2,1.5,2,1`,
    `${START + 5 * MINUTE},1,2,1,2,-1`,
    `${START + 6 * MINUTE + 1},1,2,1,2,1`,
    `${START + 7 * MINUTE},0,2,1,2,1`,
    `${START + 8 * MINUTE},1.004,2,1,2,1`,
    `${START + 8 * MINUTE},1,2,1,1.5,1`,
    `${START + 9 * MINUTE},0x10,0x11,0xF,0x10,1`,
    `${START + 10 * MINUTE},1,2,1,2,0b101`,
  ]
  const { report } = await importAs('bad', rows.join('\n'))
  expect(report?.bad).toEqual([
    { line: 3, reason: "time 'soon' is not a time" },
    { line: 4, reason: "high 'x' is not a number" },
    { line: 5, reason: "close '' is not a number" },
    { line: 6, reason: 'high is below another price of the bar' },
    { line: 8, reason: 'low is above another price of the bar' },
    { line: 9, reason: 'volume -1 is negative' },
    { line: 10, reason: `time ${START + 6 * MINUTE + 1} is not the start of a bar of 60 s` },
    { line: 11, reason: 'open 0 is not above zero' },
    { line: 14, reason: "open '0x10' is not a number" },
    { line: 15, reason: "volume '0b101' is not a number" },
  ])
  expect(report).toMatchObject({ rows: 13, bars: 2, bad_rows: 10, rounded: 1, duplicates: 1, gaps: 1 })
  expect(await bars('bad')).toMatchObject([{ close: 2 }, { close: 1.5 }])
})

test('[MKT-12] a file without one valid row fails with its first fault', async () => {
  const { importAs, send } = shared
  const mapping = {
    kind: 'bars',
    has_header: true,
    time: 'time',
    open: 'open',
    high: 'high',
    low: 'low',
    close: 'close',
    interval: '1m',
  }
  const ended = await importAs('none', 'time,open,high,low,close\nx,1,1,1,1\n', { mapping })
  expect(ended).toMatchObject({ state: 'failed', report: null })
  expect(ended.error).toBe(
    "None of the 1 rows could be imported. Line 2: time 'x' is not a time. Check the mapping.",
  )
  expect(await namesListed(send)).not.toContain('none')
})

test('[MKT-13] gaps are listed, and another import fills them', async () => {
  const { importAs, send, bars } = shared
  const minutes = (from: number, to: number) =>
    klines((ms) => String(ms), to)
      .split('\n')
      .slice(from, to)
      .join('\n')
  await importAs('holes', `${minutes(0, 10)}\n${minutes(15, 20)}\n${minutes(30, 31)}`)
  const gaps = async () => (await send('GET', 'data-sets/holes/gaps?instrument=BTCUSDT')).body
  const at = (minute: number) => new Date(START + minute * MINUTE).toISOString()
  expect(await gaps()).toEqual({
    total: 2,
    gaps: [
      { from: at(10), to: at(15), missing: 5 },
      { from: at(20), to: at(30), missing: 10 },
    ],
  })
  const { report } = await importAs('holes', minutes(8, 16), { mode: 'add' })
  expect(report).toMatchObject({ bars: 8, gaps: 0 })
  expect(await gaps()).toMatchObject({ total: 1, gaps: [{ from: at(20) }] })
  expect(await bars('holes')).toHaveLength(21)
  const { body } = await send('GET', 'data-sets')
  expect(body.data_sets.find(({ name }: { name: string }) => name === 'holes')).toMatchObject({
    interval: '1m',
    instruments: [{ instrument: 'BTCUSDT', bars: 21, gaps: 1, from: at(0), to: at(30) }],
  })
})

test('[MKT-14] ticks become 1-minute bars, in any order within reach', async () => {
  const { importAs, bars } = shared
  const random = createRandom(5)
  const ticks = Array.from({ length: 800 }, (_, number) => ({
    at: START + number * 700,
    price: 4_200_000 + Math.floor(random.uniform() * 5_000),
    quantity: 1 + Math.floor(random.uniform() * 99_999),
  }))
  const expected = [...Map.groupBy(ticks, ({ at }) => Math.floor(at / MINUTE) * MINUTE)].map(
    ([start, own]) => ({
      at: new Date(start).toISOString(),
      open: (own[0]?.price ?? 0) / 100,
      high: Math.max(...own.map(({ price }) => price)) / 100,
      low: Math.min(...own.map(({ price }) => price)) / 100,
      close: (own.at(-1)?.price ?? 0) / 100,
      volume: own.reduce((sum, { quantity }) => sum + quantity, 0) / 1e5,
    }),
  )
  const shuffled = ticks.toSorted((one, other) => (one.at % 7_000) - (other.at % 7_000))
  const text = shuffled
    .map(({ at, price, quantity }, id) => `${id + 1},${price / 100},${quantity / 1e5},1.0,${at},true,true`)
    .join('\n')
  const { report } = await importAs('trades', text)
  expect(report).toMatchObject({ interval: '1m', rows: 800, bad_rows: 0, bars: expected.length })
  expect(await bars('trades')).toEqual(expected)
})

test.each([
  [30, '1h'],
  [3, '15m'],
])('[MKT-14] bars of %i minutes are stored as bars of %s', async (minutes, interval) => {
  const { importAs } = shared
  const text = Array.from({ length: 40 }, (_, row) => `${START + row * minutes * MINUTE},10,12,9,11,1`).join(
    '\n',
  )
  expect((await importAs(`longer-${minutes}`, text)).report).toMatchObject({
    interval,
    rows: 40,
    bad_rows: 0,
  })
})

test('[MKT-15] a data set is apart from the market and from other data sets, and is not overwritten by accident', async () => {
  const { importAs, send, upload, bars } = shared
  const text = klines((ms) => String(ms))
  await importAs('one', text)
  expect((await send('GET', 'bars?instrument=BTCUSDT&interval=1m')).body.bars).toEqual([])
  expect((await send('GET', 'bars?instrument=BTCUSDT&interval=1m&data_set=two')).status).toBe(404)
  const { body: uploaded } = await upload(text)
  const request = {
    upload_id: uploaded.upload_id,
    name: 'one',
    instrument: 'BTCUSDT',
    mapping: uploaded.mapping,
  }
  const again = await send('POST', 'data-sets', request)
  expect(again).toMatchObject({ status: 409, body: { code: 'thing.exists' } })
  const other = await send('POST', 'data-sets', {
    ...request,
    mode: 'add',
    mapping: { ...uploaded.mapping, interval: '1h' },
  })
  expect(other.body.detail).toBe(
    "The data set 'one' has bars of 1m, the file has bars of 1h. Choose another name.",
  )
  const unknown = await send('POST', 'data-sets/preview', {
    ...request,
    name: undefined,
    mapping: { ...uploaded.mapping, open: 'nope' },
  })
  expect(unknown.body.errors).toMatchObject([{ field: 'body.mapping.open' }])
  expect(await bars('one')).toHaveLength(3)
})

test('[MKT-16] a file above the limit is refused with the limit, and so is one that is no table', async () => {
  const { folder, send, upload } = await anImportApp()
  const large = await upload('x,1\n'.repeat(300_000))
  expect(large).toMatchObject({ status: 413, body: { code: 'request.too-large' } })
  expect(large.body.detail).toBe(
    'The file is larger than 1 MiB. Split it, or raise BINNACLE_UPLOAD_LIMIT_MIB and start the server again.',
  )
  expect((await upload('hello', 'notes.txt')).body.detail).toBe(
    'notes.txt is neither a CSV file with at least two columns nor a Parquet file.',
  )
  expect((await upload(Buffer.from('PAR1 and then nothing'), 'broken.parquet')).status).toBe(400)
  const asJson = await send('POST', 'data-sets/uploads?filename=a.csv', {})
  expect(asJson).toMatchObject({ status: 415, body: { code: 'request.content-type' } })
  expect(asJson.body.detail).toBe('Send the file itself with Content-Type: application/octet-stream.')
  expect(readdirSync(join(folder, '.uploads'))).toEqual([])
})

/** Begins an upload that stays unfinished. */
function beginUpload(app: FastifyInstance): ClientRequest {
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const headers = { 'content-type': 'application/octet-stream', 'content-length': 1000 }
  const path = '/api/market/data-sets/uploads?filename=a.csv'
  const begun = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
  begun.on('error', () => {})
  begun.write('time,price\n')
  onTestFinished(() => void begun.destroy())
  return begun
}

test('[MKT-65] an upload that breaks off leaves no file and is logged as information', async () => {
  const lines: string[] = []
  const logger = pino({}, { write: (line) => void lines.push(line) })
  const { app, folder } = await anImportApp({ logger })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const files = () => readdirSync(join(folder, '.uploads'))
  const begun = beginUpload(app)
  await expect.poll(files).toHaveLength(1)
  begun.destroy()
  await expect.poll(files).toEqual([])
  const logged = () => lines.map((line) => JSON.parse(line))
  await expect
    .poll(logged)
    .toContainEqual(expect.objectContaining({ level: 30, event: 'problem', code: 'request.malformed' }))
  expect(logged().filter(({ level }) => level > 30)).toEqual([])
})

test('[MKT-66] an upload is refused before it fills the disk, and leaves no file', async () => {
  const free = [1e12, 64_000_000 - 1]
  const { folder, upload } = await anImportApp({
    uploadLimitBytes: 1e9,
    freeSpace: async () => free.shift() ?? 64_000_500,
  })
  const chunks = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, 'x,1\n'))
  const refusal = {
    status: 413,
    body: {
      detail:
        'The disk of the data folder has too little space for the file, so it was not stored. Free some space and try again.',
    },
  }
  expect(await upload(Readable.from(chunks))).toMatchObject(refusal)
  expect(await upload('x,1\n'.repeat(200))).toMatchObject(refusal)
  expect(readdirSync(join(folder, '.uploads'))).toEqual([])
  expect((await upload('x,1\n'.repeat(100))).status).toBe(201)
})

test('[MKT-67] five uploads exist at once, running ones included', async () => {
  const { app, folder, upload } = await anImportApp()
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const files = () => readdirSync(join(folder, '.uploads'))
  const finished = (await upload('x,1\n'.repeat(3))).body.upload_id
  const begun = Array.from({ length: 5 }, () => beginUpload(app))
  await expect.poll(() => files().filter((name) => name !== finished)).toHaveLength(5)
  expect(files()).not.toContain(finished)
  expect(await upload('x,1\n')).toMatchObject({
    status: 503,
    body: {
      code: 'server.busy',
      detail: '5 files are being uploaded. Wait until one of them has ended.',
    },
  })
  for (const one of begun) one.destroy()
  await expect.poll(files).toEqual([])
  await expect.poll(async () => (await upload('x,1\n'.repeat(3))).status).toBe(201)
})

test('[MKT-17] a Parquet file imports as a CSV file does', async () => {
  const { upload, importAs, bars } = shared
  const file = join(temporaryFolder(), 'a.parquet')
  const db = await DuckDBInstance.create(':memory:')
  const connection = await db.connect()
  await connection.run(`COPY (SELECT to_timestamp(${START / 1000} + 60 * i) AS time, 42000.5::DOUBLE AS open, 42001.0 AS high,
    41999.0 AS low, (42000 + i)::DECIMAL(18,8) AS close, 1.5 AS volume FROM range(2) r(i)) TO '${file}' (FORMAT parquet)`)
  connection.closeSync()
  db.closeSync()
  const payload = readFileSync(file)
  expect((await upload(payload)).body).toMatchObject({
    format: 'parquet',
    columns: ['time', 'open', 'high', 'low', 'close', 'volume'],
  })
  expect((await importAs('parquet', payload)).report).toMatchObject({ rows: 2, bars: 2, bad_rows: 0 })
  expect(await bars('parquet')).toMatchObject([
    { at: new Date(START).toISOString(), open: 42_000.5, close: 42_000, volume: 1.5 },
    { close: 42_001 },
  ])
})

test('[MKT-18] deleting a data set removes its bars and leaves an audit record', async () => {
  const { folder, importAs, send, store } = shared
  await importAs(
    'gone',
    klines((ms) => String(ms)),
  )
  expect(existsSync(join(folder, 'gone'))).toBe(true)
  expect(await send('DELETE', 'data-sets/gone')).toMatchObject({
    status: 200,
    body: { message: 'Data set gone deleted.' },
  })
  expect(existsSync(join(folder, 'gone'))).toBe(false)
  expect((await send('DELETE', 'data-sets/gone')).status).toBe(404)
  const actions = (await store.audit.page({}, 1e9, 100)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['dataSets.import', 'dataSets.delete']))
})

test('[MKT-19] what an interrupted import left behind is deleted at the next start, and data sets stay', async () => {
  const folder = temporaryFolder()
  const first = await anImportApp({ folder })
  await first.importAs(
    'stays',
    klines((ms) => String(ms)),
  )
  mkdirSync(join(folder, '.import-1', 'bars'), { recursive: true })
  writeFileSync(join(folder, '.import-1', 'bars', 'half.parquet'), 'half a file')
  const second = await anImportApp({ folder })
  expect(readdirSync(folder).toSorted()).toEqual(['.uploads', 'stays'])
  expect(await second.bars('stays')).toHaveLength(3)
})

type Send = (typeof shared)['send']

async function namesListed(send: Send): Promise<string[]> {
  const { body } = await send('GET', 'data-sets')
  return body.data_sets.map(({ name }: { name: string }) => name)
}

test('[MKT-20] a viewer reads data sets, a trader imports them, an admin deletes them', () => {
  const roles = Object.entries(dataSets).map(([name, { role }]) => [name, role])
  expect(Object.fromEntries(roles)).toEqual({
    list: 'viewer',
    gaps: 'viewer',
    progress: 'viewer',
    upload: 'trader',
    preview: 'trader',
    import: 'trader',
    delete: 'admin',
  })
})

test('[BT-300] a data set with a damaged manifest is logged, refused by its name and can be deleted', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'torn', 'bars'), { recursive: true })
  writeFileSync(join(folder, 'torn', 'data-set.json'), '{"version":1,"inter')
  const warnings: string[] = []
  const warn = (event: string, message: string) => warnings.push(`${event}: ${message}`)
  const { send } = await anImportApp({ folder, warn })
  const sentence =
    "The data set 'torn' is damaged: its file data-set.json cannot be read. Delete the data set and import its file again."
  expect(warnings).toEqual([`data-set.damaged: ${sentence}`])
  expect((await send('GET', 'data-sets')).body.data_sets).toEqual([])
  expect(await send('GET', 'data-sets/torn/gaps?instrument=BTCUSDT')).toMatchObject({
    status: 422,
    body: { detail: sentence },
  })
  expect((await send('DELETE', 'data-sets/torn')).status).toBe(200)
  await until(() => expect(existsSync(join(folder, 'torn'))).toBe(false))
})
