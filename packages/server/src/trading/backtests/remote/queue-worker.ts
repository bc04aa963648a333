import type { KeyObject } from 'node:crypto'
import { hostname } from 'node:os'
import { type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { ENGINE_VERSION } from '#trading/backtests/engine-version.ts'
import { createWorkerPool } from '#trading/backtests/worker-pool.ts'
import type { FromBacktest } from '#trading/backtests/worker-protocol.ts'
import { ModuleFolders } from './module-folders.ts'
import {
  cancelKey,
  KEY_PREFIX,
  openTask,
  queueName,
  type RemoteEnding,
  type RemoteTask,
  type SignedResult,
  type SignedTask,
  sealResult,
} from './remote-task.ts'
import { keyId } from './work-key.ts'
import { WorkerBars } from './worker-bars.ts'
import { isExcluded, removeWorker, reportWorker } from './worker-registry.ts'

/** Runs backtests of a server on this machine. */
export interface QueueWorker {
  readonly name: string
  close(): Promise<void>
}

export interface QueueWorkerOptions {
  url: string
  publicKey: KeyObject
  name: string
  threads: number
  /** The catalog of the server on a shared disk; without it, bars come through Redis. */
  catalogFolder?: string | undefined
  /** A worker that was silent for this long loses its runs to another one. */
  lockMs?: number | undefined
  onWarning: (text: string) => void
}

const LOCK_MS = 10_000
/** A run that ended so many workers is failed. */
const MAX_STALLED = 10
const LOOK_EVERY_MS = 500
const REPORT_EVERY_MS = 2_000
const PROGRESS_EVERY_MS = 500
const RATE_SPAN_MS = 60_000
/** Redis is lost when it has not answered for so long. */
const PING_MAX_MS = 5_000

export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { url, publicKey, name, threads, catalogFolder, onWarning: onNote, lockMs = LOCK_MS } = options
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  const pool = createWorkerPool(threads, { catalogFolder: catalogFolder ?? '', strategiesFolder: '' })
  const bars = new WorkerBars({ redis, pool, hasCatalog: catalogFolder !== undefined })
  const folders = new ModuleFolders()
  /** What stops each run under way. */
  const active = new Map<string, Int32Array>()
  /** When runs ended, of the last minute. */
  let ended: number[] = []
  let done = 0
  const started_at = new Date().toISOString()

  async function process(job: Job<SignedTask>): Promise<SignedResult> {
    const id = String(job.id)
    const task = openTask(job.data, id, publicKey)
    if (task === undefined) throw new Error('The run is not signed by the server whose key this worker has.')
    const stop = new Int32Array(new SharedArrayBuffer(4))
    active.set(id, stop)
    try {
      const ending = await compute(
        task,
        stop,
        throttle(PROGRESS_EVERY_MS, (share) => job.updateProgress(share)),
      )
      done += 1
      ended.push(Date.now())
      return sealResult({ worker: name, ending }, id, publicKey)
    } finally {
      active.delete(id)
    }
  }

  async function compute(
    task: RemoteTask,
    stop: Int32Array,
    onProgress: (progress: number) => void,
  ): Promise<RemoteEnding> {
    const loaded = await bars.of(task)
    if (loaded === null) return { kind: 'bars-missing' }
    const strategiesFolder = task.modules && folders.of(task.modules)
    const { promise, resolve, reject } = Promise.withResolvers<RemoteEnding>()
    const { plan, work } = task
    pool.add({
      isReady: () => true,
      task: () => ({
        plan,
        loaded,
        stop,
        ...(work && { work }),
        ...(strategiesFolder && { strategiesFolder }),
      }),
      onMessage(message) {
        if (message.kind === 'progress') onProgress(message.progress)
        else if (isEnding(message)) resolve(message)
      },
      onFault: reject,
    })
    return promise
  }

  const worker = new Worker<SignedTask, SignedResult>(queueName(keyId(publicKey)), process, {
    connection: { url, maxRetriesPerRequest: null },
    prefix: KEY_PREFIX,
    name,
    concurrency: threads,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MAX_STALLED,
  })
  let isReachable = true
  worker.on('error', (fault) => {
    // Once per loss of the connection, which is retried for ever.
    if (isReachable) onNote(fault.message)
    isReachable = false
  })
  worker.on('ready', () => {
    isReachable = true
  })
  worker.on('failed', (_, fault) => onNote(fault.message))
  redis.on('error', () => {})

  async function report(): Promise<void> {
    ended = ended.filter((at) => Date.now() - at < RATE_SPAN_MS)
    await reportWorker(redis, {
      name,
      host: hostname(),
      version: ENGINE_VERSION,
      key: keyId(publicKey),
      threads,
      busy: active.size,
      done,
      runs_per_minute: ended.length,
      started_at,
    })
    if (worker.isPaused() || !(await isExcluded(redis, name))) return
    onNote('This worker is excluded: one of its results differs from that of the server.')
    await worker.pause(true)
  }

  /** BT-50 */
  async function stopCancelled(): Promise<void> {
    const ids = [...active.keys()]
    if (ids.length === 0) return
    const marks = await redis.mget(ids.map(cancelKey))
    for (const [nth, id] of ids.entries()) {
      const stop = active.get(id)
      if (stop && marks[nth] !== null) Atomics.store(stop, 0, 1)
    }
  }

  const ignore = () => {}
  const timers = [
    setInterval(() => void report().catch(ignore), REPORT_EVERY_MS),
    setInterval(() => void stopCancelled().catch(ignore), LOOK_EVERY_MS),
  ]
  await worker.waitUntilReady()
  await report()

  async function leaveQueue(): Promise<void> {
    await worker.close()
    await removeWorker(redis, name)
  }

  return {
    name,
    async close() {
      for (const timer of timers) clearInterval(timer)
      const lost = watchLoss(redis)
      // BT-141: without Redis nobody can be given the results. The runs are taken over by another worker.
      const isLost = await Promise.race([leaveQueue().then(() => false), lost.promise])
      lost.stop()
      if (isLost) void worker.disconnect().catch(ignore)
      await pool.close()
      folders.remove()
      redis.disconnect()
    },
  }
}

/** Resolves to true once Redis does not answer. */
function watchLoss(redis: Redis): { promise: Promise<true>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<true>()
  let deadline: NodeJS.Timeout | undefined
  const look = () => {
    if (redis.status !== 'ready') return resolve(true)
    deadline ??= setTimeout(() => resolve(true), PING_MAX_MS)
    redis.ping().then(
      () => {
        clearTimeout(deadline)
        deadline = undefined
      },
      () => resolve(true),
    )
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    clearTimeout(deadline)
  }
  return { promise, stop }
}

function isEnding(message: FromBacktest): message is Extract<FromBacktest, { kind: RemoteEnding['kind'] }> {
  return ['completed', 'figures', 'refused', 'stopped'].includes(message.kind)
}

function throttle(everyMs: number, send: (progress: number) => Promise<unknown>): (progress: number) => void {
  let last = 0
  return (progress) => {
    if (Date.now() - last < everyMs) return
    last = Date.now()
    send(progress).catch(() => {})
  }
}
