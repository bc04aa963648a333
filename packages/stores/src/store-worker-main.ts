import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Confirmation } from '#driver.ts'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type {
  StoreWorker,
  StoreWorkerAdmission,
  StoreWorkerCall,
  StoreWorkerReply,
  StoreWorkerStream,
  StoreWorkerTarget,
} from '#worker/store-worker.ts'

/** A heavy statement must not slow down the trading engine. */
const NICENESS = 10

let worker: Promise<StoreWorker> | undefined
let stream: StoreWorkerStream['batches'] | undefined
let answerAdmission: ((isAdmitted: boolean) => void) | undefined

async function perform(call: StoreWorkerCall): Promise<unknown> {
  worker ??= openWorker(JSON.parse(process.argv[2] ?? ''))
  const opened = await worker
  if (call.name === 'next') return nextBatch()
  if (call.name === 'stream') {
    const { columns, batches } = await opened.stream(...call.args)
    stream = batches
    return { columns }
  }
  if (call.name === 'run') return opened.run(...call.args, admit)
  // Name and arguments match by the caller's types, which a spread cannot express.
  const method = opened[call.name] as (...args: unknown[]) => unknown
  return method(...call.args)
}

/** Asks the server. A refused write is undone; the server knows why it refused. */
async function admit(confirm: Confirmation | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  answerAdmission = resolve
  process.send?.({ admit: confirm } satisfies StoreWorkerReply)
  if (!(await promise)) throw new StoreRefusal('store.refused', 'The write was not admitted.')
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
process.on('message', async (call: StoreWorkerCall | StoreWorkerAdmission) => {
  if ('isAdmitted' in call) return answerAdmission?.(call.isAdmitted)
  const answer = await perform(call).then((value) => ({ value }), replyForError)
  process.send?.(answer)
})
