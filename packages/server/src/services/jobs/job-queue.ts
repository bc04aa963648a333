export interface QueueItem {
  readonly signal: AbortSignal
  /** Never rejects. */
  run(): Promise<void>
}

export interface JobQueue {
  add(job: QueueItem): void
  /** Removes stopped jobs from the queue and runs them, which ends them at once. */
  dropStopped(): void
}

/** A FIFO queue with a limit on running jobs. */
export function createJobQueue(maxRunning: number): JobQueue {
  let waiting: QueueItem[] = []
  let running = 0

  function fill(): void {
    while (running < maxRunning) {
      const job = waiting.shift()
      if (job === undefined) return
      running += 1
      void job.run().then(() => {
        running -= 1
        fill()
      })
    }
  }

  return {
    add(job) {
      waiting.push(job)
      fill()
    },
    dropStopped() {
      const stopped = waiting.filter(({ signal }) => signal.aborted)
      waiting = waiting.filter(({ signal }) => !signal.aborted)
      for (const job of stopped) void job.run()
    },
  }
}
