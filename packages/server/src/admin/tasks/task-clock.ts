/** The scheduler's clock. */
export interface TaskClock {
  now(): Date
  /** Calls `wake` once, at that time or earlier; returns a function that cancels it. */
  wakeAt(at: Date, wake: () => void): () => void
}

/** A changed system clock or a suspended machine is noticed within this time. */
const MAX_SLEEP_MS = 60_000

export const wallClock: TaskClock = {
  now: () => new Date(),
  wakeAt(at, wake) {
    const ms = Math.max(at.getTime() - Date.now(), 0)
    const timer = setTimeout(wake, Math.min(ms, MAX_SLEEP_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
