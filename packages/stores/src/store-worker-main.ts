import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type {
  StoreWorker,
  StoreWorkerCall,
  StoreWorkerReply,
  StoreWorkerStream,
  StoreWorkerTarget,
} from '#worker/store-worker.ts'

/** A heavy statement must not slow down the trading engine. */
const NICENESS = 10

let worker: Promise<StoreWorker> | undefined
let stream: StoreWorkerStream['batches'] | undefined

async function perform(call: StoreWorkerCall): Promise<unknown> {
  worker ??= openWorker(JSON.parse(process.argv[2] ?? ''))
  const opened = await worker
  if (call.name === 'next') return nextBatch()
  if (call.name === 'stream') {
    const { columns, batches } = await opened.stream(...call.args)
    stream = batches
    return { columns }
  }
  // Name and arguments match by the caller's types, which a spread cannot express.
  const method = opened[call.name] as (...args: unknown[]) => unknown
  return method(...call.args)
}

async function nextBatch(): Promise<ExportCell[][] | null> {
  const { done, value } = (await stream?.next()) ?? { done: true, value: undefined }
  return done === true ? null : value
}

/** Imports only what is needed, because users wait for the process to start. */
async function openWorker(place: StoreWorkerTarget): Promise<StoreWorker> {
  if (place.kind === 'sqlite') {
    const { openSqliteWorker } = await import('#sqlite/worker.ts')
    return openSqliteWorker(place)
  }
  const { openParquetWorker } = await import('#parquet/worker.ts')
  return openParquetWorker(place)
}

function replyForError(thrown: unknown): StoreWorkerReply {
  if (thrown instanceof StoreRefusal) {
    return { refusal: { code: thrown.code, detail: thrown.message, errors: thrown.errors } }
  }
  return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
}

setPriority(NICENESS)
new Worker(new URL('./worker/orphan-watch.worker.ts', import.meta.url)).unref()
process.on('disconnect', () => process.exit())
process.on('message', async (call: StoreWorkerCall) => {
  const answer = await perform(call).then((value) => ({ value }), replyForError)
  process.send?.(answer)
})
