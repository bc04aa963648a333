import type { BarCounts } from './check-data.ts'
import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'

/**
 * Bars that runs under way share, and how many there are: a sweep asks for the same ones again and again. The first run
 * that needs some reads them; those that need the same wait for it.
 */
export class BarShelf {
  readonly #loaded = new Map<string, LoadedBars>()
  readonly #beingRead = new Set<string>()
  readonly #counts = new Map<string, BarCounts>()
  /** How many runs that wait or are under way need them. */
  readonly #needed = new Map<string, number>()

  need(plan: BacktestPlan): void {
    this.#needed.set(keyOf(plan), (this.#needed.get(keyOf(plan)) ?? 0) + 1)
  }

  /** What no run needs any more leaves: many periods would fill the memory, and the catalog grows meanwhile. */
  leave(plan: BacktestPlan): void {
    const key = keyOf(plan)
    const left = (this.#needed.get(key) ?? 0) - 1
    if (left > 0) {
      this.#needed.set(key, left)
      return
    }
    for (const kept of [this.#needed, this.#loaded, this.#counts]) kept.delete(key)
  }

  find(plan: BacktestPlan): LoadedBars | null {
    return this.#loaded.get(keyOf(plan)) ?? null
  }

  countsOf(plan: BacktestPlan): BarCounts | null {
    return this.#counts.get(keyOf(plan)) ?? null
  }

  noteCounts(plan: BacktestPlan, counts: BarCounts): void {
    this.#counts.set(keyOf(plan), counts)
  }

  isBeingRead(plan: BacktestPlan): boolean {
    return this.#beingRead.has(keyOf(plan))
  }

  beginReading(plan: BacktestPlan): void {
    this.#beingRead.add(keyOf(plan))
  }

  put(plan: BacktestPlan, loaded: LoadedBars): void {
    this.#beingRead.delete(keyOf(plan))
    this.#loaded.set(keyOf(plan), loaded)
  }

  /** The run that read them ended, with or without them. */
  endReading(plan: BacktestPlan): void {
    this.#beingRead.delete(keyOf(plan))
  }
}

function keyOf({ instruments, interval, from, to }: BacktestPlan): string {
  return JSON.stringify([instruments, interval, from, to])
}
