import type { KeySizes } from './key-sizes.ts'

/** A command that is about to be sent, and a way to ask how large its keys are. */
export interface Asked {
  /** In capitals. */
  name: string
  args: readonly Buffer[]
  /** The arguments as texts in capitals. */
  words: readonly string[]
  sizes: KeySizes
}

/** Throws a StoreRefusal when the command could hold the server for long. */
export type Bound = (asked: Asked) => void | Promise<void>

/** The cost is that of the words themselves. */
export const cheap: Bound = () => undefined

export function each(...bounds: readonly Bound[]): Bound {
  return async (asked) => {
    for (const bound of bounds) await bound(asked)
  }
}

/** For a command whose first arguments come before those that the bound knows. */
export function after(first: number, bound: Bound): Bound {
  return (asked) => bound({ ...asked, args: asked.args.slice(first), words: asked.words.slice(first) })
}

export function keyAt({ args }: Asked, index: number): Buffer {
  return args[index] ?? Buffer.alloc(0)
}

/** As Redis reads a whole number; NaN for anything else, which it refuses itself. */
export function integer(word: string | undefined): number {
  return word !== undefined && /^-?\d{1,19}$/.test(word) ? Number(word) : Number.NaN
}

/** What follows every mention of an option: where one is given twice, Redis takes the last. */
export function valuesOf({ words }: Asked, option: string, from: number, nth = 1): (string | undefined)[] {
  return words.flatMap((word, index) => (index >= from && word === option ? [words[index + nth]] : []))
}

/** How many a range of positions covers, either end counted from the end where it is negative. */
export function spanOf(start: number, stop: number, length: number): number {
  const first = Math.max(0, start < 0 ? start + length : start)
  const last = Math.min(length - 1, stop < 0 ? stop + length : stop)
  return Math.max(0, last - first + 1) || 0
}
