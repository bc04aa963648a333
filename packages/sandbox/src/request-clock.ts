import type { ProcessFigures } from './process-figures.ts'

/** Elapsed time may exceed the limit by this factor, as a module may have to wait for the CPU. */
const ELAPSED_TIME_FACTOR = 10

/**
 * The time that a request to a module takes. The CPU time of the process counts and the time it is asleep, as when its
 * load awaits something that never happens; the time it waits for a busy CPU does not. All times are in ms.
 */
export class RequestClock {
  readonly #startedAt: number
  readonly #limitMs: number
  #lastAt: number
  #cpuAtStart: number | null = null
  #asleepMs = 0

  constructor(startedAt: number, limitMs: number) {
    this.#startedAt = startedAt
    this.#lastAt = startedAt
    this.#limitMs = limitMs
  }

  /** Takes the figures of the process; returns whether the request is overdue. */
  isOverdue(now: number, { cpuMs, isAsleep }: Pick<ProcessFigures, 'cpuMs' | 'isAsleep'>): boolean {
    this.#cpuAtStart ??= cpuMs
    const cpuAtStart = this.#cpuAtStart
    const elapsedMs = now - this.#startedAt
    if (isAsleep) this.#asleepMs += now - this.#lastAt
    this.#lastAt = now
    const isKnown = cpuMs !== null && cpuAtStart !== null
    const usedMs = isKnown ? cpuMs - cpuAtStart + this.#asleepMs : elapsedMs
    if (elapsedMs > this.#limitMs * ELAPSED_TIME_FACTOR) return true
    return elapsedMs > this.#limitMs && usedMs > this.#limitMs
  }
}
