/** Time as the client sees it; tests bring their own. */
export interface Timers {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number
  /** Calls back once after the delay. Returns a function that prevents it. */
  after(ms: number, callback: () => void): () => void
}

export const WALL_TIMERS: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
