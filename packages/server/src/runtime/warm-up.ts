import { type BarColumns, type BarTick, ticksOfBars } from '@binnacle/engine'

/** Recorded days as the engine hears of them, for what needs more history than a desk has lived through. */
export function* dailyTicks(daily: readonly BarColumns[]): Generator<BarTick> {
  for (const tick of ticksOfBars(daily, { halfSpreadTicks: 1 })) {
    // Quotes and trades of the past are not the market's now.
    if (tick.type === 'bar') yield tick
  }
}
