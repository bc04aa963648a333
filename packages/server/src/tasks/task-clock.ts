/** Time as the scheduler sees it. */
export interface TaskClock {
  now(): Date
  /** Wakes once, at that time or somewhat earlier; returns how to call it off. */
  wakeAt(at: Date, wake: () => void): () => void
}

/** A clock that was set or a machine that slept is noticed within a minute. */
const LONGEST_SLEEP_MS = 60_000

export const wallClock: TaskClock = {
  now: () => new Date(),
  wakeAt(at, wake) {
    const ms = Math.max(at.getTime() - Date.now(), 0)
    const timer = setTimeout(wake, Math.min(ms, LONGEST_SLEEP_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
