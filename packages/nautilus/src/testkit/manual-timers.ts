import type { Timers } from '#timers.ts'

/** Timers whose time only a test advances. */
export interface ManualTimers extends Timers {
  advance(ms: number): void
}

export function createManualTimers(start = Date.UTC(2026, 0, 5, 12)): ManualTimers {
  let now = start
  let pending: { at: number; callback: () => void }[] = []
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      pending.push(timer)
      return () => {
        pending = pending.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (let due = next(end); due !== undefined; due = next(end)) {
        now = Math.max(now, due.at)
        pending = pending.filter((other) => other !== due)
        due.callback()
      }
      now = end
    },
  }

  function next(until: number) {
    return pending.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
  }
}
