import { type CostCheck, integer, keyAt, type PendingCommand, spanOf, valuesOf } from './cost-check.ts'
import { checkBytes, MAX_BYTES } from './limits.ts'

const PART = 'GETRANGE {} 0 9999'

/** Checks the total size of strings. */
export function checkStrings(keysOf: (command: PendingCommand) => readonly Buffer[]): CostCheck {
  return async (command) => {
    const keys = keysOf(command)
    await checkSum(command, keys, await Promise.all(keys.map((key) => command.sizes.textBytes(key))))
  }
}

/** Checks the total size of fields of one hash. */
export const checkFields: CostCheck = async (command) => {
  const key = keyAt(command, 0)
  const sizes = await Promise.all(command.args.slice(1).map((field) => command.sizes.fieldBytes(key, field)))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  checkBytes(command, { bytes, key, instead: 'HSTRLEN {} field to see which is so large' })
}

/** Checks the size of a range of a string; both ends are optional. */
export function checkSlice(from: number, instead: string): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    const perUnit = command.words[from + 2] === 'BIT' ? 8 : 1
    const length = (await command.sizes.textBytes(key)) * perUnit
    const [start = 0, stop = -1] = command.words.slice(from, from + 2).map(integer)
    checkBytes(command, { bytes: spanOf(start, stop, length) / perUnit, key, instead })
  }
}

/** Checks how far a write extends a string; Redis fills the gap with zeros. */
export function checkGrowth(bytesOf: (command: PendingCommand) => number): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    const grown = bytesOf(command) - (await command.sizes.textBytes(key))
    checkBytes(command, { bytes: grown, key, instead: 'a smaller offset' })
  }
}

/** The highest byte offset that a BITFIELD writes; '#' counts in units of up to 64 bits. */
export function furthestPart(command: PendingCommand): number {
  const offsets = ['SET', 'INCRBY'].flatMap((act) => valuesOf(command, act, 1, 2))
  const bits = offsets.map(
    (offset = '') => integer(offset.replace('#', '')) * (offset.startsWith('#') ? 64 : 1),
  )
  return Math.max(0, ...bits.filter((bit) => !Number.isNaN(bit))) / 8
}

function checkSum(command: PendingCommand, keys: readonly Buffer[], sizes: readonly number[]): void {
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const key = keys[sizes.indexOf(Math.max(...sizes))] ?? keyAt(command, 0)
  checkBytes(command, { bytes, max: MAX_BYTES, key, instead: PART })
}
