import type { MarketTick } from './tick.ts'

/** Where ticks come from: simulated, recorded or live. */
export interface Feed {
  /** Hands each tick on until the returned function is called. */
  start(onTick: (tick: MarketTick) => void): () => void
}
