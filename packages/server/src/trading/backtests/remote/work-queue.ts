import { ANSWER_TIMEOUT_MS } from '@binnacle/stores'
import { Queue, QueueEvents } from 'bullmq'
import { Redis } from 'ioredis'
import { ENGINE_VERSION } from '#trading/backtests/engine-version.ts'
import type { LoadedBars } from '#trading/backtests/shared-bars.ts'
import { PublishedBars } from './bar-blocks.ts'
import {
  cancelKey,
  KEY_PREFIX,
  openResult,
  queueName,
  type RemoteResult,
  type RemoteTask,
  type SignedTask,
  signTask,
} from './remote-task.ts'
import type { WorkKey } from './work-key.ts'
import {
  excludedWorkers,
  excludeWorker,
  listWorkers,
  type ReportedWorker,
  type WorkerFigures,
} from './worker-registry.ts'
import { WorkerTrust } from './worker-trust.ts'

/** Runs for workers on other machines, over Redis. */
export interface WorkQueue {
  readonly trust: WorkerTrust
  /** Puts the bars where workers find them. */
  publish(loaded: LoadedBars): Promise<void>
  /** Resolves with the result of a worker, `forged`, or undefined when it was stopped; rejects when it failed. */
  send(task: RemoteTask, options: SendOptions): SentTask
  state(): Promise<WorkQueueState>
  close(): Promise<void>
}

export interface SendOptions {
  /** After all that people wait for. */
  isLowPriority: boolean
  onBegun: () => void
  onProgress: (progress: number) => void
}

/** BT-63: a result without the signature of its run is forged. */
export type RunOutcome = RemoteResult | 'forged' | undefined

export interface SentTask {
  readonly result: Promise<RunOutcome>
  stop(): void
}

export interface ListedWorker extends ReportedWorker {
  /** Why it receives no runs; null when it does. */
  excluded: string | null
}

export interface WorkQueueState {
  isReachable: boolean
  /** Runs that no worker has begun. */
  waiting: number
  workers: ListedWorker[]
}

export interface WorkQueueOptions {
  url: string
  key: WorkKey
  onFault: (fault: unknown) => void
}

/** Events report endings at once; what they missed is found by a look so often. */
const LOOK_EVERY_MS = 5_000
/** A result has up to 300 kB. */
const MAX_EVENTS = 500
const UNTAKEN_TTL_S = 600
const LOW_PRIORITY = 10
const CANCEL_TTL_S = 60
const CLOSE_WITHIN_MS = 2_000

interface Pending extends SendOptions {
  signed: SignedTask
  hasBegun: boolean
  end: (result: Promise<RunOutcome>) => void
}

export function openWorkQueue({ url, key, onFault }: WorkQueueOptions): WorkQueue {
  const name = queueName(key.id)
  const connection = { url, maxRetriesPerRequest: null }
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  const queue = new Queue<SignedTask>(name, {
    connection,
    prefix: KEY_PREFIX,
    streams: { events: { maxLen: MAX_EVENTS } },
  })
  const events = new QueueEvents(name, { connection, prefix: KEY_PREFIX, lastEventId: '0-0' })
  const pending = new Map<string, Pending>()
  const published = new PublishedBars(redis)
  const cancelling = new Set<Promise<void>>()
  let isReachable = false

  redis.on('error', reportOnce)
  queue.on('error', reportOnce)
  events.on('error', reportOnce)
  redis.on('ready', () => {
    isReachable = true
  })
  events.on('active', ({ jobId }) => begin(jobId))
  events.on('progress', ({ jobId, data }) => pending.get(jobId)?.onProgress(Number(data)))
  events.on('completed', ({ jobId, returnvalue }) => complete(jobId, returnvalue))
  events.on('failed', ({ jobId, failedReason }) => fail(jobId, failedReason))
  const looking = setInterval(() => void lookAll().catch(reportOnce), LOOK_EVERY_MS)
  looking.unref()

  /** Once per loss of the connection. */
  function reportOnce(fault: unknown): void {
    if (isReachable) onFault(fault)
    isReachable = false
  }

  function begin(id: string): void {
    const run = pending.get(id)
    if (run === undefined || run.hasBegun) return
    run.hasBegun = true
    run.onBegun()
  }

  function complete(id: string, value: unknown): void {
    begin(id)
    const opened = openResult(value, id, key.publicKey)
    if (opened === undefined && pending.has(id))
      onFault(new Error('A result without the signature of its run was refused.'))
    end(id, Promise.resolve(opened ?? 'forged'))
  }

  function fail(id: string, reason: string): void {
    begin(id)
    end(id, Promise.reject(new Error(`A worker failed: ${reason}`)))
  }

  function end(id: string, result: Promise<RunOutcome>): void {
    const run = pending.get(id)
    pending.delete(id)
    if (run === undefined) result.catch(() => {})
    else run.end(result)
    queue.remove(id).catch(reportOnce)
  }

  /** BT-49: also finds runs that Redis has lost, and queues them again. */
  async function lookAll(): Promise<void> {
    for (const [id, run] of pending) {
      const job = await queue.getJob(id)
      // An event may have ended it meanwhile.
      if (!pending.has(id)) continue
      if (job === undefined) await add(id, run)
      // One moment of the job: its state, read later, may be of another one.
      else if (job.finishedOn !== undefined)
        if (job.failedReason) fail(id, job.failedReason)
        else complete(id, job.returnvalue)
    }
  }

  /** A job that is there already stays as it is. */
  async function add(id: string, { signed, isLowPriority }: Pending): Promise<void> {
    await queue.add('run', signed, {
      jobId: id,
      ...(isLowPriority && { priority: LOW_PRIORITY }),
      removeOnComplete: { age: UNTAKEN_TTL_S },
      removeOnFail: { age: UNTAKEN_TTL_S },
    })
  }

  /** One that a worker has begun is stopped there. */
  async function cancel(id: string): Promise<void> {
    if ((await queue.remove(id)) === 0) await redis.set(cancelKey(id), '1', 'EX', CANCEL_TTL_S)
  }

  return {
    trust: new WorkerTrust((worker, reason) => excludeWorker(redis, worker, reason)),
    publish: (loaded) => published.publish(loaded),
    send(task, options) {
      const { id } = task
      const { promise, resolve } = Promise.withResolvers<RunOutcome>()
      const run = { ...options, signed: signTask(task, key), hasBegun: false, end: resolve }
      pending.set(id, run)
      add(id, run).catch(reportOnce)
      return {
        result: promise,
        stop() {
          if (!pending.delete(id)) return
          resolve(undefined)
          const work = cancel(id).catch(reportOnce)
          cancelling.add(work)
          void work.finally(() => cancelling.delete(work))
        },
      }
    },
    async state() {
      const waiting = [...pending.values()].filter(({ hasBegun }) => !hasBegun).length
      if (!isReachable) return { isReachable, waiting, workers: [] }
      const read = await within(ANSWER_TIMEOUT_MS, Promise.all([listWorkers(redis), excludedWorkers(redis)]))
      if (read === undefined) return { isReachable: false, waiting, workers: [] }
      const [workers, excluded] = read
      return {
        isReachable,
        waiting,
        workers: workers.map((worker) => ({
          ...worker,
          excluded: excluded.get(worker.name) ?? mismatchOf(worker, key.id),
        })),
      }
    },
    async close() {
      clearInterval(looking)
      await within(CLOSE_WITHIN_MS, Promise.allSettled(cancelling))
      await within(CLOSE_WITHIN_MS, Promise.allSettled([queue.close(), events.close()]))
      redis.disconnect()
    },
  }
}

/** BT-47 */
function mismatchOf({ version, key }: WorkerFigures, keyId: string): string | null {
  if (key !== keyId) return 'It has the public key of another server. Copy work-key.pub of this one.'
  return version === ENGINE_VERSION ? null : `It has version ${version}. Update it.`
}

/** Undefined when it takes longer: without a connection commands wait for ever. */
function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
