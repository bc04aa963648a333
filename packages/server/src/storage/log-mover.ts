import { Worker } from 'node:worker_threads'

/** So many entries, of about a page for every two, are worth a move. */
const ENTRIES_TO_A_MOVE = 4_000

/**
 * Moves the write-ahead logs of busy files into the files on a thread of its own, since that waits for the disk for tens
 * of milliseconds. Whoever writes still does so itself when a log has grown long, and then finds little left to move.
 */
export class LogMover {
  readonly #thread: Worker
  readonly #ended: Promise<unknown>
  #sinceMove = 0
  #isMoving = false

  constructor(files: readonly string[], onFault: (fault: Error) => void) {
    this.#thread = new Worker(new URL('./log-mover-thread.ts', import.meta.url), { workerData: files })
    this.#ended = new Promise((resolve) => this.#thread.once('exit', resolve))
    this.#thread.on('message', () => {
      this.#isMoving = false
    })
    // Without the thread the logs are moved by those who write, as before.
    this.#thread.on('error', onFault)
    this.#thread.unref()
  }

  /** Counts what was written, and begins a move when it is worth one. */
  count(entries: number): void {
    this.#sinceMove += entries
    if (this.#sinceMove < ENTRIES_TO_A_MOVE || this.#isMoving) return
    this.#sinceMove = 0
    this.#isMoving = true
    this.#thread.postMessage('move')
  }

  async close(): Promise<void> {
    this.#thread.postMessage('close')
    await this.#ended
  }
}
