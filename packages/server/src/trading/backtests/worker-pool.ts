import { Worker } from 'node:worker_threads'
import type { BacktestTask, BacktestWorkerOptions, FromBacktest } from './worker-protocol.ts'

/** A run that a thread of the pool does. */
export interface PooledRun {
  /** Whether it can start. Runs that are not ready are skipped and checked again at every message of a thread. */
  isReady(): boolean
  /** Made when a thread is free for it. */
  task(): BacktestTask
  /** Called with every message of the thread. */
  onMessage(message: FromBacktest): void
  /** The thread ended or failed under the run. */
  onFault(fault: unknown): void
}

export interface WorkerPool {
  /** Runs it as soon as it is ready and a thread is free, in the order of asking. */
  add(run: PooledRun): void
  /** Takes out one that waits; says whether it did. */
  remove(run: PooledRun): boolean
  /** Ends the thread under a run once it has read its bars; the run then fails. For one that does not listen. */
  terminate(run: PooledRun): void
  close(): Promise<void>
}

/** A fixed number of threads, each started on first use and then reused. */
export function createWorkerPool(size: number, workerData: BacktestWorkerOptions): WorkerPool {
  const threads = new Map<Worker, PooledRun | null>()
  /** Threads that read bars. DuckDB aborts the whole process when its thread is terminated meanwhile. */
  const reading = new Map<Worker, PromiseWithResolvers<void>>()
  const waiting: PooledRun[] = []
  let isClosed = false

  function fill(): void {
    while (!isClosed) {
      const run = waiting.find((one) => one.isReady())
      const thread = run === undefined ? undefined : freeThread()
      if (run === undefined || thread === undefined) return
      waiting.splice(waiting.indexOf(run), 1)
      threads.set(thread, run)
      const task = run.task()
      if (task.loaded === null) reading.set(thread, Promise.withResolvers())
      thread.postMessage(task)
    }
  }

  function freeThread(): Worker | undefined {
    for (const [thread, run] of threads) if (run === null) return thread
    return threads.size < size ? startThread() : undefined
  }

  function startThread(): Worker {
    const url = new URL('./backtest-worker.ts', import.meta.url)
    const thread = new Worker(url, { workerData, name: 'backtest' })
    // A pool that waits for work must not keep the server from ending.
    thread.unref()
    threads.set(thread, null)
    thread.on('message', (message: FromBacktest) => {
      const run = threads.get(thread)
      const isOver = ENDINGS.has(message.kind)
      if (isOver) threads.set(thread, null)
      if (isOver || message.kind === 'loaded') endReading(thread)
      run?.onMessage(message)
      if (message.kind !== 'progress') fill()
    })
    thread.on('error', (fault) => lose(thread, fault))
    thread.on('exit', () => lose(thread, new Error('A thread of the backtests ended')))
    return thread
  }

  function lose(thread: Worker, fault: unknown): void {
    const run = threads.get(thread)
    threads.delete(thread)
    endReading(thread)
    run?.onFault(fault)
    fill()
  }

  function endReading(thread: Worker): void {
    reading.get(thread)?.resolve()
    reading.delete(thread)
  }

  /** By then the thread may have another run, which goes on. */
  async function terminateUnder(run: PooledRun, thread: Worker): Promise<void> {
    await reading.get(thread)?.promise
    if (threads.get(thread) === run) await thread.terminate()
  }

  async function terminate(thread: Worker): Promise<void> {
    await reading.get(thread)?.promise
    await thread.terminate()
  }

  return {
    add(run) {
      waiting.push(run)
      fill()
    },
    remove(run) {
      const place = waiting.indexOf(run)
      if (place >= 0) waiting.splice(place, 1)
      return place >= 0
    },
    terminate(run) {
      for (const [thread, current] of threads) if (current === run) void terminateUnder(run, thread)
    },
    async close() {
      isClosed = true
      waiting.length = 0
      await Promise.all([...threads.keys()].map(terminate))
    },
  }
}

const ENDINGS: ReadonlySet<FromBacktest['kind']> = new Set([
  'completed',
  'figures',
  'checked',
  'read',
  'stopped',
  'refused',
])
