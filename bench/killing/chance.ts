import { createRandom } from '@binnacle/engine'

/** Draws from a seeded generator, so that a run can be repeated by its seed. */
export interface Chance {
  /** From 0 to just below 1. */
  next(): number
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function createChance(seed: number): Chance {
  const { uniform: next } = createRandom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (items) => items[below(items.length)] }
}
