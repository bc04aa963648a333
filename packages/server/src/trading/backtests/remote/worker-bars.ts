import type { Redis } from 'ioredis'
import type { LoadedBars } from '#trading/backtests/shared-bars.ts'
import type { WorkerPool } from '#trading/backtests/worker-pool.ts'
import { fetchBars } from './bar-blocks.ts'
import type { RemoteTask } from './remote-task.ts'

export interface WorkerBarsOptions {
  redis: Redis
  pool: WorkerPool
  /** Whether threads of the pool read the server's catalog. */
  hasCatalog: boolean
}

/** Those unused for the longest time are removed first. */
const MAX_CACHED_BYTES = 1 << 30

/** BT-48: bars by fingerprint, from the shared catalog or through Redis, and then from memory. */
export class WorkerBars {
  readonly #options: WorkerBarsOptions
  readonly #cached = new Map<string, LoadedBars>()
  readonly #underWay = new Map<string, Promise<LoadedBars | null>>()

  constructor(options: WorkerBarsOptions) {
    this.#options = options
  }

  /** Null when they are nowhere. */
  of(task: RemoteTask): Promise<LoadedBars | null> {
    const { fingerprint } = task
    const cached = this.#cached.get(fingerprint)
    if (cached !== undefined) {
      this.#keep(cached)
      return Promise.resolve(cached)
    }
    const running = this.#underWay.get(fingerprint)
    if (running !== undefined) return running
    const work = this.#load(task).finally(() => this.#underWay.delete(fingerprint))
    this.#underWay.set(fingerprint, work)
    return work
  }

  async #load(task: RemoteTask): Promise<LoadedBars | null> {
    const { redis, hasCatalog } = this.#options
    const recorded = hasCatalog && task.plan.dataSet === undefined ? await this.#read(task) : null
    const loaded = recorded ?? (await fetchBars(redis, task.fingerprint))
    if (loaded !== null) this.#keep(loaded)
    return loaded
  }

  /** Null when the catalog has other bars meanwhile. */
  #read({ plan, fingerprint }: RemoteTask): Promise<LoadedBars | null> {
    const { promise, resolve } = Promise.withResolvers<LoadedBars | null>()
    const stop = new Int32Array(new SharedArrayBuffer(4))
    this.#options.pool.add({
      isReady: () => true,
      task: () => ({ plan, work: 'read', loaded: null, stop }),
      onMessage(message) {
        if (message.kind === 'loaded')
          resolve(message.loaded.fingerprint === fingerprint ? message.loaded : null)
        else resolve(null)
      },
      onFault: () => resolve(null),
    })
    return promise
  }

  #keep(loaded: LoadedBars): void {
    this.#cached.delete(loaded.fingerprint)
    this.#cached.set(loaded.fingerprint, loaded)
    let sum = 0
    for (const each of this.#cached.values()) sum += bytesOf(each)
    for (const [fingerprint, each] of this.#cached) {
      if (sum <= MAX_CACHED_BYTES || fingerprint === loaded.fingerprint) return
      sum -= bytesOf(each)
      this.#cached.delete(fingerprint)
    }
  }
}

const COLUMNS = 6

function bytesOf({ bars }: LoadedBars): number {
  return bars.reduce((sum, { length }) => sum + length * COLUMNS * Float64Array.BYTES_PER_ELEMENT, 0)
}
