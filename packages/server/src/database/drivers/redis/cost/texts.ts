import { type Asked, type Bound, integer, keyAt, spanOf, valuesOf } from './asked.ts'
import { checkBytes, MOST_BYTES } from './limits.ts'

const PART = 'GETRANGE {} 0 9999'

/** Whole strings, all together. */
export function texts(keysOf: (asked: Asked) => readonly Buffer[]): Bound {
  return async (asked) => {
    const keys = keysOf(asked)
    await checkSum(asked, keys, await Promise.all(keys.map((key) => asked.sizes.textBytes(key))))
  }
}

/** Whole values of fields of one hash, all together. */
export const fields: Bound = async (asked) => {
  const key = keyAt(asked, 0)
  const sizes = await Promise.all(asked.args.slice(1).map((field) => asked.sizes.fieldBytes(key, field)))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  checkBytes(asked, { bytes, key, instead: 'HSTRLEN {} field to see which is so large' })
}

/** The bytes of a string from one position to another, which need not be given. */
export function slice(from: number, instead: string): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    const perUnit = asked.words[from + 2] === 'BIT' ? 8 : 1
    const length = (await asked.sizes.textBytes(key)) * perUnit
    const [start = 0, stop = -1] = asked.words.slice(from, from + 2).map(integer)
    checkBytes(asked, { bytes: spanOf(start, stop, length) / perUnit, key, instead })
  }
}

/** A string that is written beyond its end is filled up with zeros until there. */
export function grownTo(bytesOf: (asked: Asked) => number): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    const grown = bytesOf(asked) - (await asked.sizes.textBytes(key))
    checkBytes(asked, { bytes: grown, key, instead: 'a smaller offset' })
  }
}

/** Where the furthest part that a BITFIELD writes begins; '#' counts in parts of up to 64 bits. */
export function furthestPart(asked: Asked): number {
  const offsets = ['SET', 'INCRBY'].flatMap((act) => valuesOf(asked, act, 1, 2))
  const bits = offsets.map(
    (offset = '') => integer(offset.replace('#', '')) * (offset.startsWith('#') ? 64 : 1),
  )
  return Math.max(0, ...bits.filter((bit) => !Number.isNaN(bit))) / 8
}

function checkSum(asked: Asked, keys: readonly Buffer[], sizes: readonly number[]): void {
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const key = keys[sizes.indexOf(Math.max(...sizes))] ?? keyAt(asked, 0)
  checkBytes(asked, { bytes, most: MOST_BYTES, key, instead: PART })
}
