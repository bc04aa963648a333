import type { TaskClock } from '#admin/tasks/task-clock.ts'

/** Time that stands still until it is set. */
export interface ManualClock extends TaskClock {
  /** Sets the time and resolves the waits that are due by then. */
  set(time: string): void
  /** When somebody wants to be woken. */
  next(): string | undefined
}

export function manualClock(time: string): ManualClock {
  let now = new Date(time)
  let waiting: { at: Date; wake: () => void }[] = []
  return {
    now: () => now,
    wakeAt(at, wake) {
      const one = { at, wake }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    set(text) {
      now = new Date(text)
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { wake } of due) wake()
    },
    next: () => waiting[0]?.at.toISOString(),
  }
}
