import type { BarColumns } from '@binnacle/engine'

/** The past that strategies were told, the latest of each instrument and length: an engine made anew hears it again. */
export class ToldPast {
  readonly #bars = new Map<string, BarColumns>()

  constructor(bars: readonly BarColumns[] = []) {
    this.add(bars)
  }

  add(bars: readonly BarColumns[]): void {
    for (const each of bars) this.#bars.set(`${each.instrument} ${each.interval}`, each)
  }

  all(): readonly BarColumns[] {
    return [...this.#bars.values()]
  }
}
