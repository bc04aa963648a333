import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import type { Engine, EngineAnswer, EngineCall, EnginePlace, EngineStream } from './engine.ts'

/** A heavy statement must not take the trading desk's turns. */
const NICENESS = 10

let engine: Promise<Engine> | undefined
let stream: EngineStream['batches'] | undefined

async function perform(call: EngineCall): Promise<unknown> {
  engine ??= openEngine(JSON.parse(process.argv[2] ?? ''))
  const opened = await engine
  if (call.name === 'next') return nextBatch()
  if (call.name === 'stream') {
    const { columns, batches } = await opened.stream(...call.args)
    stream = batches
    return { columns }
  }
  // The caller's types hold name and arguments together; a spread cannot say so.
  const method = opened[call.name] as (...args: unknown[]) => unknown
  return method(...call.args)
}

async function nextBatch(): Promise<unknown[][] | null> {
  const { done, value } = (await stream?.next()) ?? { done: true, value: undefined }
  return done === true ? null : value
}

/** Only what is needed is loaded: a person waits for a process to start. */
async function openEngine(place: EnginePlace): Promise<Engine> {
  if (place.kind === 'sqlite') {
    const { openSqliteEngine } = await import('#database/drivers/sqlite/sqlite-engine.ts')
    return openSqliteEngine(place)
  }
  const { openParquetEngine } = await import('#database/drivers/parquet/parquet-engine.ts')
  return openParquetEngine(place)
}

function answerOf(thrown: unknown): EngineAnswer {
  if (thrown instanceof StoreRefusal) {
    return { refusal: { code: thrown.code, detail: thrown.message, errors: thrown.errors } }
  }
  return { fault: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
}

setPriority(NICENESS)
new Worker(new URL('./orphan-watch.worker.ts', import.meta.url)).unref()
process.on('disconnect', () => process.exit())
process.on('message', async (call: EngineCall) => {
  const answer = await perform(call).then((value) => ({ value }), answerOf)
  process.send?.(answer)
})
