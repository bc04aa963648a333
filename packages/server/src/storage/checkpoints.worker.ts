import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { BUSY_TIMEOUT_MS, CHECKPOINT_PAGES } from './sqlite-limits.ts'

/** Checkpoints the files whose write-ahead logs have grown. Neither readers nor the writer wait for it. */

const CHECK_EVERY_MS = 100
/** Each copies what was written during the one before. Once all is copied, the writer begins the log again. */
const MAX_PASSES = 3

/** Sizes in pages: all of the log, and those that are in the file. */
interface LogSize {
  log: number
  checkpointed: number
}

// Set by startCheckpoints.
const databases = (workerData as readonly string[]).map((file) => {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  const measure = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  const copy = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  // Both return one row with these columns.
  const run = (statement: typeof copy) => statement.get() as unknown as LogSize
  return { measure: () => run(measure), copy: () => run(copy), close: () => database.close() }
})

const timer = setInterval(() => {
  for (const { measure, copy } of databases) {
    let { log, checkpointed } = measure()
    if (log < CHECKPOINT_PAGES) continue
    for (let pass = 0; pass < MAX_PASSES && checkpointed < log; pass++) ({ log, checkpointed } = copy())
  }
}, CHECK_EVERY_MS)

parentPort?.once('message', () => {
  clearInterval(timer)
  for (const { close } of databases) close()
})
