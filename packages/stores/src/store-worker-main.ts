import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Confirmation } from '#driver.ts'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type {
  StoreWorker,
  StoreWorkerCall,
  StoreWorkerConfig,
  StoreWorkerMessage,
  StoreWorkerOutcome,
  StoreWorkerReply,
  StoreWorkerStream,
} from '#worker/store-worker.ts'

/** A heavy statement must not slow down the trading engine. A start is short, and a user waits for it. */
const NICENESS = 10

/** Set by the first message. The configuration may contain a password, so it is not an argument of the process. */
let config: StoreWorkerConfig | undefined
let worker: Promise<StoreWorker> | undefined
let stream: StoreWorkerStream['batches'] | undefined
/** Of the call in progress, or of the open stream. */
let cancellation = new AbortController()
let answerBeforeWrite: ((write: 'approved' | 'refused') => void) | undefined

async function handleCall(call: StoreWorkerCall): Promise<unknown> {
  if (call.name === 'next') return nextBatch()
  if (config === undefined) throw new Error('The first message must open a store.')
  // Before anything is awaited: the cancel may already be the next message.
  cancellation = new AbortController()
  const { signal } = cancellation
  // Workers are killed, and a killed process does not write its compile cache.
  worker ??= openWorker(config).finally(() => flushCompileCache())
  const opened = await worker
  if (call.name === 'run') return opened.run(...call.args, beforeWrite, signal)
  if (call.name === 'stream') {
    const { columns, batches } = await opened.stream(...call.args, signal)
    stream = batches
    return { columns }
  }
  // Name and arguments match by the caller's types, which a spread cannot express.
  const method = opened[call.name] as (...args: unknown[]) => unknown
  return method(...call.args, signal)
}

/** Asks the server. A refused write is undone; the server knows why it refused. */
async function beforeWrite(confirm: Confirmation | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<'approved' | 'refused'>()
  answerBeforeWrite = resolve
  reply({ beforeWrite: confirm })
  if ((await promise) === 'refused') throw new StoreRefusal('store.refused', 'The write was refused.')
}

async function nextBatch(): Promise<ExportCell[][] | null> {
  const { done, value } = (await stream?.next()) ?? { done: true, value: undefined }
  return done === true ? null : value
}

/** Imports only what is needed, because users wait for the process to start. */
async function openWorker(config: StoreWorkerConfig): Promise<StoreWorker> {
  const open = await importWorker(config)
  // Threads that the store starts inherit it.
  setPriority(NICENESS)
  return open()
}

async function importWorker(config: StoreWorkerConfig): Promise<() => StoreWorker | Promise<StoreWorker>> {
  if (config.kind === 'sqlite') {
    const { openSqliteWorker } = await import('#sqlite/worker.ts')
    return () => openSqliteWorker(config)
  }
  if (config.kind === 'postgresql') {
    const { openPostgresWorker } = await import('#postgres/worker.ts')
    return () => openPostgresWorker(config.connection)
  }
  const { openParquetWorker } = await import('#parquet/worker.ts')
  return () => openParquetWorker(config)
}

function outcomeOfError(thrown: unknown): StoreWorkerOutcome {
  if (thrown instanceof StoreRefusal) {
    const { code, message, errors, step } = thrown
    return { refusal: { code, detail: message, errors, step } }
  }
  return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
}

function reply(message: StoreWorkerReply): void {
  process.send?.(message)
}

new Worker(new URL('./worker/process-watch.worker.ts', import.meta.url)).unref()
process.on('disconnect', () => process.exit())
process.on('message', async (message: StoreWorkerMessage) => {
  if ('open' in message) {
    config = message.open
  } else if ('write' in message) {
    answerBeforeWrite?.(message.write)
  } else if ('cancel' in message) {
    cancellation.abort(new StoreRefusal('statement.cancelled', 'The statement was cancelled.'))
    answerBeforeWrite?.('refused')
  } else {
    const outcome = await handleCall(message.call).then((value) => ({ value }), outcomeOfError)
    reply({ ...outcome, memory: process.memoryUsage.rss() })
  }
})
