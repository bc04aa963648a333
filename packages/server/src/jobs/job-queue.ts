export interface Queued {
  readonly signal: AbortSignal
  /** Never rejects. */
  run(): Promise<void>
}

export interface JobQueue {
  add(job: Queued): void
  /** Lets those end that were stopped in the queue; they need no room. */
  dropStopped(): void
}

/** First come, first served, so many at once. */
export function createJobQueue(maxRunning: number): JobQueue {
  let waiting: Queued[] = []
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
