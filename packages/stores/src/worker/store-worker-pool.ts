import { StoreRefusal } from '#store-refusal.ts'
import type { StoreWorkerConfig } from './store-worker.ts'
import { type StoreWorkerProcess, startStoreWorkerProcess } from './store-worker-process.ts'
import { MAX_IDLE_WORKER_MEMORY_BYTES } from './worker-limits.ts'

/** Statements of one connection that run at once; further ones wait. */
const MAX_PROCESSES = 3

/** An idle process is killed after this time. */
const IDLE_PROCESS_MS = 60_000

/** Exclusive use of one process until it is released. */
export interface StoreWorkerLease extends Pick<StoreWorkerProcess, 'call' | 'kill'> {
  release(): void
}

export interface StoreWorkerPool {
  acquire(signal: AbortSignal): Promise<StoreWorkerLease>
  /** Kills all processes. The next acquire starts new ones. */
  close(): void
}

/** STORE-67: a process that holds more memory after its use is not used again. */
export function createStoreWorkerPool(
  config: () => StoreWorkerConfig,
  maxIdleMemory = MAX_IDLE_WORKER_MEMORY_BYTES,
): StoreWorkerPool {
  return new ProcessPool(config, maxIdleMemory)
}

const CLOSED = new StoreRefusal(
  'statement.cancelled',
  'The statement was cancelled because the connection was changed or closed.',
)

class ProcessPool implements StoreWorkerPool {
  readonly #config: () => StoreWorkerConfig
  readonly #maxIdleMemory: number
  readonly #busy = new Set<StoreWorkerProcess>()
  readonly #idle = new Map<StoreWorkerProcess, NodeJS.Timeout>()
  readonly #waiting: (() => void)[] = []
  /** The configuration each process was started on. A file can be replaced by another of the same name. */
  readonly #targetNames = new WeakMap<StoreWorkerProcess, string>()

  constructor(config: () => StoreWorkerConfig, maxIdleMemory: number) {
    this.#config = config
    this.#maxIdleMemory = maxIdleMemory
  }

  async acquire(signal: AbortSignal): Promise<StoreWorkerLease> {
    while (this.#busy.size >= MAX_PROCESSES) await this.#waitForProcess(signal)
    signal.throwIfAborted()
    const config = this.#config()
    const name = JSON.stringify(config)
    const process = this.#acquireIdle(name) ?? startStoreWorkerProcess(config)
    this.#targetNames.set(process, name)
    this.#busy.add(process)
    let isLeased = true
    return {
      call: (request, callSignal, beforeWrite) => process.call(request, callSignal, beforeWrite),
      // After the release another caller may use the process.
      kill: () => isLeased && process.kill(),
      release: () => {
        if (isLeased) this.#release(process)
        isLeased = false
      },
    }
  }

  close(): void {
    for (const process of [...this.#busy, ...this.#idle.keys()]) process.kill(CLOSED)
    for (const timer of this.#idle.values()) clearTimeout(timer)
    this.#idle.clear()
  }

  /** An idle process of the configuration. Kills those of other configurations on the way. */
  #acquireIdle(name: string): StoreWorkerProcess | undefined {
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(process)
      if (process.isAlive && this.#targetNames.get(process) === name) return process
      process.kill()
    }
    return undefined
  }

  #release(process: StoreWorkerProcess): void {
    this.#busy.delete(process)
    if (process.memory > this.#maxIdleMemory) process.kill()
    if (process.isAlive) {
      const timer = setTimeout(() => {
        this.#idle.delete(process)
        process.kill()
      }, IDLE_PROCESS_MS)
      this.#idle.set(process, timer.unref())
    }
    this.#waiting.shift()?.()
  }

  #waitForProcess(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    this.#waiting.push(resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', onAbort))
  }
}
