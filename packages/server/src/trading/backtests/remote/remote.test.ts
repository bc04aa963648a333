import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { NewBacktest, NewSweep } from '@binnacle/contract'
import { walkBars } from '@binnacle/engine/testkit'
import { afterAllTests, countOf, describeRedis, freshRedis, temporaryFolder } from '@binnacle/stores/testkit'
import { Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { beforeAll, expect, test, vi } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { Refused } from '#http/problems.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBacktests, recordedBars } from '#testkit/backtests.ts'
import { COMPILED } from '#testkit/compiled.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addBacktestWorkerRoutes } from '#trading/backtest-workers.routes.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import { ENGINE_VERSION } from '#trading/backtests/engine-version.ts'
import { shareColumns } from '#trading/backtests/shared-bars.ts'
import { fetchBars, PublishedBars } from './bar-blocks.ts'
import { startQueueWorker } from './queue-worker.ts'
import { KEY_PREFIX, queueName, sealResult, signTask } from './remote-task.ts'
import { openWorkKey, readPublicKey, type WorkKey } from './work-key.ts'
import { openWorkQueue, type WorkQueue } from './work-queue.ts'
import { excludedWorkers, excludeWorker, reportWorker } from './worker-registry.ts'

const ACT = serverAuditContext('a test')
const MAIN = join(import.meta.dirname, 'worker-command.ts')
const DICE = `export const createStrategy = () => ({
  onBar(bar, desk) { if (Math.random() < 0.1) desk.target(Math.random() < 0.5 ? 0 : 0.01) },
})`
const BASE = {
  strategy: { type: 'market_making', config: {} },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-01-07T00:00:00Z',
}
/** A run of one day, where it only matters whose result counts. */
const SHORT = { ...BASE, to: '2026-01-06T00:00:00Z' }
const CUSTOM = {
  strategy: { type: 'custom', config: { module: 'mine.ts' } },
  instruments: ['BTCUSDT'],
  from: BASE.from,
  to: '2026-01-05T06:00:00Z',
}

const FALSE_ENDING = { kind: 'completed', result: '{"hash":"0"}' } as const

interface Desk {
  key: WorkKey
  publicFile: string
  queue: WorkQueue
  runs: Backtests
}

const atEnd = afterAllTests()
let url = ''
let redis: Redis
/** Without a queue. */
let embedded: Backtests
const faults: unknown[] = []
const onFault = (fault: unknown) => faults.push(fault)

async function aServer(workQueue?: WorkQueue): Promise<Backtests> {
  const { store } = await newAdminStore(atEnd)
  const strategiesFolder = temporaryFolder({ 'mine.ts': DICE }, atEnd)
  return newBacktests(store, { bars: recordedBars(2 * 1_440), strategiesFolder, workQueue, onFault, atEnd })
}

/** With a queue and a key of its own, so that workers of other tests take nothing of it. */
async function aQueue(at = url): Promise<Desk> {
  const folder = temporaryFolder({}, atEnd)
  const publicFile = join(folder, 'work-key.pub')
  const key = openWorkKey(join(folder, 'work-key.pem'), publicFile)
  const queue = openWorkQueue({ url: at, key, onFault })
  atEnd(() => queue.close())
  return { key, publicFile, queue, runs: await aServer(queue) }
}

/** The public key of a server that this one knows nothing of. */
function strangerKey() {
  const folder = temporaryFolder({}, atEnd)
  return openWorkKey(join(folder, 'work-key.pem'), join(folder, 'work-key.pub')).publicKey
}

/** A worker in a process of its own. */
function startWorker(name: string, publicFile: string) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...COMPILED,
      BINNACLE_WORK_QUEUE: url,
      BINNACLE_WORK_KEY: publicFile,
      BINNACLE_WORKER_NAME: name,
      BINNACLE_WORKER_THREADS: '1',
      BINNACLE_WORKER_LOCK_MS: '3000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

/** A way to Redis that can be cut, or no longer passes anything on. */
async function wireTo(address: string): Promise<{ url: string; cut(): void; hang(): void }> {
  const redisAt = new URL(address)
  const sockets = new Set<Socket>()
  const server = createServer((inner) => {
    const outer = connect(Number(redisAt.port), redisAt.hostname)
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const wired = new URL(address)
  wired.hostname = '127.0.0.1'
  wired.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  const hang = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  atEnd(cut)
  return { url: wired.href, cut, hang }
}

async function namesOf({ queue }: Desk): Promise<string[]> {
  const { workers } = await queue.state()
  return workers.filter(({ excluded }) => excluded === null).map(({ name }) => name.replace(/-\w+$/, ''))
}

async function sweepOn(runs: Backtests, sets: number): Promise<number> {
  const parameters = {
    half_spread_bps: { values: [2, 3, 4, 5] },
    order_value: { from: 100, to: 99 + sets / 4, step: 1 },
  }
  const row = await runs.sweeps.start(
    ACT,
    NewSweep.parse({ base: BASE, parameters, measure: 'total_return' }),
  )
  if (row instanceof Refused) throw new Error(row.detail)
  return row.id
}

/** The results by set, without the number of the sweep. */
async function resultsOf(runs: Backtests, id: number) {
  await runs.sweeps.ended(id)
  const found = await runs.sweeps.find(id)
  expect(faults).toEqual([])
  expect(found?.row.status).toBe('completed')
  return found?.results
    .map(({ set_number, hash, figures, error }) => ({ set_number, hash, figures, error }))
    .toSorted((a, b) => a.set_number - b.set_number)
}

async function runOn(runs: Backtests, request: object): Promise<number> {
  const view = await runs.start(ACT, NewBacktest.parse(request))
  if (view instanceof Refused) throw new Error(view.detail)
  return view.row.id
}

async function resultOn(runs: Backtests, request: object): Promise<{ text: string; hash: unknown }> {
  const id = await runOn(runs, request)
  await runs.ended(id)
  const found = await runs.find(id)
  expect(found?.row).toMatchObject({ status: 'completed', error: null })
  const text = found?.result ?? '{}'
  return { text, hash: JSON.parse(text).hash }
}

async function hashOn(runs: Backtests, request: object): Promise<unknown> {
  return (await resultOn(runs, request)).hash
}

/** That of the embedded engine for the short run. */
function honestResult(): ReturnType<typeof resultOn> {
  honestRun ??= resultOn(embedded, SHORT)
  return honestRun
}
let honestRun: ReturnType<typeof resultOn> | undefined

describeRedis('a work queue', () => {
  beforeAll(async () => {
    ;({ url } = await freshRedis(atEnd))
    redis = new Redis(url)
    atEnd(() => redis.disconnect())
    embedded = await aServer()
  })

  test('[BT-46] [BT-47] [BT-49] half of the workers are killed in the middle of a sweep: every set has one result, that of the embedded run', {
    timeout: 1_200_000,
  }, async () => {
    const sets = countOf('remoteSets')
    const desk = await aQueue()
    const pairs = countOf('remotePairs')
    const doomed = Array.from({ length: pairs }, () => startWorker('doomed', desk.publicFile))
    for (let nth = 0; nth < pairs; nth++) startWorker('other', desk.publicFile)
    await expect.poll(() => namesOf(desk)).toHaveLength(2 * pairs)
    const id = await sweepOn(desk.runs, sets)
    const done = async () => (await desk.runs.sweeps.find(id))?.row.done
    await expect.poll(done).toBeGreaterThan(0)
    for (const { child } of doomed) child.kill('SIGKILL')
    const results = await resultsOf(desk.runs, id)
    expect(results).toHaveLength(sets)
    expect(results).toEqual(await resultsOf(embedded, await sweepOn(embedded, sets)))

    expect(await hashOn(desk.runs, CUSTOM), 'a custom strategy').toBe(await hashOn(embedded, CUSTOM))
    expect(await hashOn(desk.runs, BASE), 'a single run').toBe(await hashOn(embedded, BASE))

    const stranger = await aQueue()
    const task = { id: 'forged', plan: { request: BASE }, fingerprint: '' }
    const options = { connection: { url }, prefix: KEY_PREFIX }
    const events = new QueueEvents(queueName(desk.key.id), options)
    const queue = new Queue(queueName(desk.key.id), options)
    await events.waitUntilReady()
    // As somebody would who can write to Redis.
    const job = await queue.add('run', signTask(task as never, stranger.key), { jobId: task.id })
    await expect(job.waitUntilFinished(events)).rejects.toThrow('not signed by the server')
    await events.close()
    await queue.close()
  })

  test('[BT-51] a worker whose result differs is shown as excluded, and its results do not count', async () => {
    const desk = await aQueue()
    const { text: honestText, hash } = await honestResult()
    const { hash: _, ...lie } = { ...JSON.parse(honestText), final_equity: 1e9 }
    const lieHash = createHash('sha256').update(JSON.stringify(lie)).digest('hex')
    const forged = JSON.stringify({ ...lie, hash: lieHash })
    const liar = new Worker(
      queueName(desk.key.id),
      async ({ id = '' }) =>
        sealResult({ worker: 'liar', ending: { kind: 'completed', result: forged } }, id, desk.key.publicKey),
      { connection: { url, maxRetriesPerRequest: null }, prefix: KEY_PREFIX },
    )
    atEnd(() => liar.close())
    expect(await hashOn(desk.runs, SHORT)).toBe(hash)
    const figures = { host: 'h', version: '1', threads: 1, busy: 0, done: 1, runs_per_minute: 0 }
    await reportWorker(redis, { name: 'liar', ...figures, key: desk.key.id, started_at: '' })
    const { workers } = await desk.queue.state()
    expect(workers.find(({ name }) => name === 'liar')?.excluded).toBe(
      `Its result ${lieHash} differs from ${hash} of the server.`,
    )
    const honest = await startQueueWorker({
      url,
      publicKey: readPublicKey(desk.publicFile),
      name: 'honest',
      threads: 1,
      onWarning: () => {},
    })
    atEnd(() => honest.close())
    await liar.close()
    expect(await hashOn(desk.runs, SHORT)).toBe(hash)
  })

  test('[BT-141] an excluded worker is closed at once when Redis is gone', async () => {
    const desk = await aQueue()
    const wire = await wireTo(url)
    const notes: string[] = []
    const worker = await startQueueWorker({
      url: wire.url,
      publicKey: readPublicKey(desk.publicFile),
      name: 'cut off',
      threads: 1,
      onWarning: (text) => notes.push(text),
    })
    await excludeWorker(redis, worker.name, 'a test')
    await expect.poll(() => notes).toHaveLength(1)
    wire.cut()
    await worker.close()
    expect(await redis.sismember('binnacle:workers', worker.name), 'it could not say so').toBe(1)
  })

  test('[BT-63] a result without the signature of its run is refused, and another worker does the run', async () => {
    const desk = await aQueue()
    const refusals: string[] = []
    const queue = openWorkQueue({ url, key: desk.key, onFault: (fault) => refusals.push(String(fault)) })
    atEnd(() => queue.close())
    const runs = await aServer(queue)
    const own = desk.key.publicKey
    // Somebody who can write to Redis: not signed, signed with another key, and signed for another run.
    const forgeries = [
      () => ({ worker: 'forger', ending: FALSE_ENDING }),
      (id: string) => sealResult({ worker: 'forger', ending: FALSE_ENDING }, id, strangerKey()),
      () => sealResult({ worker: 'forger', ending: FALSE_ENDING }, 'another run', own),
    ]
    let taken = 0
    const forger = new Worker(
      queueName(desk.key.id),
      async ({ id = '' }) => {
        const forged = forgeries[taken]?.(id)
        taken += 1
        if (taken === forgeries.length) void forger.pause(true)
        return forged
      },
      { connection: { url, maxRetriesPerRequest: null }, prefix: KEY_PREFIX },
    )
    atEnd(() => forger.close())
    const id = await runOn(runs, SHORT)
    await expect.poll(() => refusals).toHaveLength(forgeries.length)
    expect(new Set(refusals)).toEqual(
      new Set(['Error: A result without the signature of its run was refused.']),
    )
    await forger.close()
    const publicKey = readPublicKey(desk.publicFile)
    const honest = await startQueueWorker({ url, publicKey, name: 'honest', threads: 1, onWarning: () => {} })
    atEnd(() => honest.close())
    await runs.ended(id)
    expect(JSON.parse((await runs.find(id))?.result ?? '{}').hash).toBe((await honestResult()).hash)
  })

  test.each([
    ['no JSON', 'not json'],
    ['no result', '{}'],
    ['a hash of something else', undefined],
  ])(
    '[BT-80] a result of a worker that is %s does not count, and its worker is excluded',
    async (_, text) => {
      const desk = await aQueue()
      const { text: honestText, hash } = await honestResult()
      const changed = JSON.stringify({ ...JSON.parse(honestText), final_equity: 1e9 })
      const ending = { kind: 'completed', result: text ?? changed } as const
      const liar = new Worker(
        queueName(desk.key.id),
        async ({ id = '' }) => sealResult({ worker: 'forger', ending }, id, desk.key.publicKey),
        { connection: { url, maxRetriesPerRequest: null }, prefix: KEY_PREFIX },
      )
      atEnd(() => liar.close())
      expect(await hashOn(desk.runs, SHORT)).toBe(hash)
      expect((await excludedWorkers(redis)).get('forger')).toBe('It sent something that is no result.')
      await redis.hdel('binnacle:excluded', 'forger')
    },
  )

  test('[BT-52] [BT-100] workers are listed with their figures, and why one receives no runs', async () => {
    const desk = await aQueue()
    const app = createHttpApp({ logger: silentLog })
    addBacktestWorkerRoutes(app, desk.queue)
    await expect.poll(async () => (await desk.queue.state()).isReachable).toBe(true)
    const figures = { host: 'box-7', threads: 2, busy: 1, done: 7, runs_per_minute: 5, started_at: '' }
    const own = { ...figures, version: ENGINE_VERSION, key: desk.key.id }
    await reportWorker(redis, { ...own, name: 'a good one' })
    // As if it reported all the time, however slow this test is.
    await redis.expire('binnacle:worker:a good one', 3_600)
    await reportWorker(redis, { ...own, name: 'an old one', version: '0.1' })
    await reportWorker(redis, { ...own, name: 'another one', key: 'other' })
    await reportWorker(redis, { ...own, name: 'lost one' })
    // As after 75 s without a report.
    await redis.expire('binnacle:worker:lost one', 525)
    await redis.sadd('binnacle:workers', 'junk')
    await redis.set('binnacle:worker:junk', 'not json')
    const reply = (await app.inject({ url: '/api/nautilus/backtest-workers' })).json()
    expect(reply).toMatchObject({ queue: 'connected', waiting: 0 })
    const listed = reply.workers.filter(({ host }: { host: string }) => host === 'box-7')
    expect(listed).toMatchObject([
      { name: 'a good one', busy: 1, threads: 2, runs_per_minute: 5, done: 7, lost_s: null, excluded: null },
      { name: 'an old one', excluded: 'It has version 0.1. Update it.' },
      { name: 'another one', excluded: expect.stringContaining('public key of another server') },
      { name: 'lost one', excluded: null },
    ])
    expect(listed[3].lost_s).toBeGreaterThanOrEqual(75)
  })

  test('[BT-401] a Redis that does not answer within 10 s is shown as unreachable', async () => {
    const { url: wired, hang } = await wireTo(url)
    const { queue } = await aQueue(wired)
    await expect.poll(async () => (await queue.state()).isReachable).toBe(true)
    hang()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const state = queue.state()
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    expect(await state).toEqual({ isReachable: false, waiting: 0, workers: [] })
  })

  test('[BT-50] a run that waits for a worker is cancelled at once, and leaves no job', async () => {
    const desk = await aQueue()
    const id = await runOn(desk.runs, SHORT)
    await expect.poll(async () => (await desk.queue.state()).waiting).toBe(1)
    expect(await desk.runs.cancel(ACT, id)).toMatchObject({ row: { status: 'cancelled' } })
    const queue = new Queue(queueName(desk.key.id), { connection: { url }, prefix: KEY_PREFIX })
    await expect.poll(() => queue.getJobCounts('wait', 'active')).toEqual({ wait: 0, active: 0 })
    await queue.close()
  })

  test('[BT-48] bars are found by their fingerprint for an hour, and damaged ones are not', async () => {
    const loaded = shareColumns([walkBars({ rows: 3_000, seed: 5, startAt: 0 })])
    const published = new PublishedBars(redis)
    await Promise.all([published.publish(loaded), published.publish(loaded)])
    expect(await fetchBars(redis, loaded.fingerprint)).toEqual(loaded)
    const block = `binnacle:bars:${loaded.fingerprint}:3`
    expect(await redis.ttl(block)).toBeGreaterThan(3_000)
    await redis.setrange(block, 100, 'x')
    expect(await fetchBars(redis, loaded.fingerprint)).toBeNull()
    await redis.del(block)
    expect(await fetchBars(redis, loaded.fingerprint)).toBeNull()
    await published.publish(loaded)
    expect(await fetchBars(redis, loaded.fingerprint)).toEqual(loaded)
  })
})
