import type { KeySizes } from './key-sizes.ts'

/** A command about to be sent, with access to the sizes of its keys. */
export interface PendingCommand {
  /** In capitals. */
  name: string
  args: readonly Buffer[]
  /** The arguments in capitals. */
  words: readonly string[]
  sizes: KeySizes
}

/** Throws a StoreRefusal when the command could block the server for long. */
export type CostCheck = (command: PendingCommand) => void | Promise<void>

/** For commands whose cost depends only on their arguments. */
export const noCheck: CostCheck = () => undefined

export function checkAll(...bounds: readonly CostCheck[]): CostCheck {
  return async (command) => {
    for (const bound of bounds) await bound(command)
  }
}

/** Applies a check to the arguments after the first ones. */
export function skipArgs(first: number, bound: CostCheck): CostCheck {
  return (command) =>
    bound({ ...command, args: command.args.slice(first), words: command.words.slice(first) })
}

export function keyAt({ args }: PendingCommand, index: number): Buffer {
  return args[index] ?? Buffer.alloc(0)
}

/** Parses an integer as Redis does; NaN for anything else, which Redis refuses. */
export function integer(word: string | undefined): number {
  return word !== undefined && /^-?\d{1,19}$/.test(word) ? Number(word) : Number.NaN
}

/** The values after every occurrence of an option; Redis uses the last one. */
export function valuesOf(
  { words }: PendingCommand,
  option: string,
  from: number,
  nth = 1,
): (string | undefined)[] {
  return words.flatMap((word, index) => (index >= from && word === option ? [words[index + nth]] : []))
}

/** The length of a range of positions; negative ones count from the end. */
export function spanOf(start: number, stop: number, length: number): number {
  const first = Math.max(0, start < 0 ? start + length : start)
  const last = Math.min(length - 1, stop < 0 ? stop + length : stop)
  return Math.max(0, last - first + 1) || 0
}
