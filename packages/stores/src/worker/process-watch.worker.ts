import { MAX_WORKER_MEMORY_BYTES, OUT_OF_MEMORY_SIGNAL } from './worker-limits.ts'

/**
 * Ends this process when its server was killed or when it takes too much memory. Runs on its own thread, because a
 * statement may block the main one. The memory of SQLite and DuckDB is outside of the JavaScript heap.
 */
const CHECK_INTERVAL_MS = 100

const server = process.ppid

setInterval(() => {
  if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > MAX_WORKER_MEMORY_BYTES) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL)
}, CHECK_INTERVAL_MS)
