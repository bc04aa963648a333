/** A seeded random generator, so that a run can be repeated by its seed. */
export interface Chance {
  /** From 0 to just below 1. */
  next(): number
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (items) => items[below(items.length)] }
}
