import type { BarCounts } from './check-data.ts'
import type { BacktestPlan } from './plan.ts'
import type { LoadedBars } from './shared-bars.ts'

/**
 * Bars and bar counts shared by queued and running backtests: a parameter sweep needs the same ones again and again. The
 * first run reads them; others with the same period wait for it.
 */
export class BarCache {
  readonly #loaded = new Map<string, LoadedBars>()
  readonly #beingRead = new Set<string>()
  readonly #counts = new Map<string, BarCounts>()
  /** Number of queued and running backtests per entry. */
  readonly #needed = new Map<string, number>()

  need(plan: BacktestPlan): void {
    this.#needed.set(keyOf(plan), (this.#needed.get(keyOf(plan)) ?? 0) + 1)
  }

  /** Removes an entry that no run needs any more: it takes memory, and the catalog grows in the meantime. */
  leave(plan: BacktestPlan): void {
    const key = keyOf(plan)
    const left = (this.#needed.get(key) ?? 0) - 1
    if (left > 0) {
      this.#needed.set(key, left)
      return
    }
    for (const map of [this.#needed, this.#loaded, this.#counts]) map.delete(key)
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

  /** Called when the reading run ended, with or without the bars. */
  endReading(plan: BacktestPlan): void {
    this.#beingRead.delete(keyOf(plan))
  }
}

function keyOf({ instruments, interval, from, to, dataSet }: BacktestPlan): string {
  return JSON.stringify([instruments, interval, from, to, dataSet?.name, dataSet?.version])
}
