import { type BarColumns, type BarTick, ticksOfBars } from '@binnacle/engine'

/** The bars that warm strategies up, the latest of each instrument and interval. A restarted engine gets them again. */
export class WarmUpBars {
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

/** Recorded days as bar ticks, for figures that need more history than the running desk has. */
export function* dailyTicks(daily: readonly BarColumns[]): Generator<BarTick> {
  for (const tick of ticksOfBars(daily, { halfSpreadTicks: 1 })) {
    // Recorded quotes and trades are not the current market.
    if (tick.type === 'bar') yield tick
  }
}
