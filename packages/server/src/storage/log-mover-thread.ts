import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** The thread of a log mover: it waits for the disk, so that whoever writes need not. */

if (parentPort === null) throw new Error('Logs are moved in a worker thread')
const port = parentPort
// The mover starts this file with its list of files.
const files = workerData as readonly string[]
let databases: readonly DatabaseSync[] = []

port.on('message', (message: 'move' | 'close') => {
  if (message === 'close') {
    for (const database of databases) database.close()
    port.close()
    return
  }
  // Whoever writes them made them by the time that there is something to move.
  if (databases.length === 0) databases = files.map((file) => new DatabaseSync(file))
  for (const database of databases) moveLog(database)
  port.postMessage('moved')
})

function moveLog(database: DatabaseSync): void {
  try {
    // Passive: it waits for nobody, and nobody for it.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // A disk that fails halts the desk by its journal; what is left in a log is not lost.
  }
}
