import { type Asked, type Bound, integer, keyAt, spanOf, valuesOf } from './asked.ts'
import { checkBytes, checkItems, checkOption, MOST_ITEMS, MOST_SEEN, refused } from './limits.ts'

/** All that a key holds, whatever its type. */
export function whole(instead: string, at = 0): Bound {
  return async (asked) => {
    const key = keyAt(asked, at)
    const items = await asked.sizes.items(key)
    checkItems(asked, { items, key, instead })
    checkBytes(asked, { bytes: await asked.sizes.bytes(key, items), key, instead })
  }
}

/** Positions from the second argument to the third. */
export function byPosition(instead: string): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    const [start, stop] = [integer(asked.words[1]), integer(asked.words[2])]
    await checkPart(asked, key, spanOf(start, stop, await asked.sizes.items(key)), instead)
  }
}

/** So many at random or from an end as the second argument says, which may be negative. */
export function byNumber(instead: string): Bound {
  return (asked) => {
    const items = asked.words[1] === undefined ? 1 : Math.abs(integer(asked.words[1]))
    return checkPart(asked, keyAt(asked, 0), items || 0, instead)
  }
}

/** All of a small key, and of a larger one what COUNT says. */
export function byCount(instead: string, from: number): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    const counts = checkCounts(asked, from)
    const all = await asked.sizes.items(key)
    await checkPart(asked, key, counts.length === 0 ? all : Math.max(...counts), instead)
  }
}

/** All of a small sorted set, and of a larger one what LIMIT says. */
export function byLimit(instead: string): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    for (const value of valuesOf(asked, 'LIMIT', 3))
      checkOption(asked, 'LIMIT', { value, least: 0, most: MOST_SEEN })
    const counts = valuesOf(asked, 'LIMIT', 3, 2)
    for (const value of counts) checkOption(asked, 'LIMIT with its offset', { value, least: 0 })
    const all = await asked.sizes.items(key)
    await checkPart(asked, key, counts.length === 0 ? all : Math.max(...counts.map(Number)), instead)
  }
}

/** ZRANGE means positions unless it says otherwise. */
export function byRange(position: Bound, limit: Bound): Bound {
  return (asked) => {
    const options = asked.words.slice(3)
    return options.includes('BYSCORE') || options.includes('BYLEX') ? limit(asked) : position(asked)
  }
}

/** A step of a scan: COUNT tells how far it goes, and a pattern is tried on each. */
export function step(from: number): Bound {
  return async (asked) => {
    const counts = checkCounts(asked, from)
    for (const pattern of valuesOf(asked, 'MATCH', from)) checkPattern(pattern)
    if (from === 1) return
    await checkPart(asked, keyAt(asked, 0), Math.max(10, ...counts), `${asked.name} {} 0 COUNT 10`)
  }
}

/** Every item of every key. */
export function sumOf(keysOf: (asked: Asked) => readonly Buffer[], instead: string): Bound {
  return async (asked) => {
    const keys = keysOf(asked)
    const sizes = await Promise.all(keys.map((key) => asked.sizes.items(key)))
    const items = sizes.reduce((sum, size) => sum + size, 0)
    checkItems(asked, { items, key: largest(keys, sizes), instead })
    const bytes = await Promise.all(keys.map((key) => asked.sizes.bytes(key, MOST_ITEMS)))
    checkBytes(asked, {
      bytes: bytes.reduce((sum, size) => sum + size, 0),
      key: largest(keys, bytes),
      instead,
    })
  }
}

/** Each item of the smallest key is looked for in all others. */
export function smallestOf(
  keysOf: (asked: Asked) => readonly Buffer[],
  instead: string,
  most = MOST_ITEMS,
): Bound {
  return async (asked) => {
    const keys = keysOf(asked)
    const sizes = await Promise.all(keys.map((key) => asked.sizes.items(key)))
    const key = keys[sizes.indexOf(Math.min(...sizes))] ?? keyAt(asked, 0)
    const items = keys.length === 0 ? 0 : Math.min(...sizes)
    checkItems(asked, { items, most, key, instead })
    checkItems(asked, { items: items * keys.length, most: MOST_SEEN, key, instead })
    if (most === MOST_ITEMS) checkBytes(asked, { bytes: await asked.sizes.bytes(key, items), key, instead })
  }
}

/** Every member may be near enough, and is looked at. */
export function nearby(instead: string): Bound {
  return async (asked) => {
    const key = keyAt(asked, 0)
    const counts = checkCounts(asked, 1)
    const items = await asked.sizes.items(key)
    checkItems(asked, { items, most: counts.length === 0 ? MOST_ITEMS : MOST_SEEN, key, instead })
  }
}

export async function checkPart(asked: Asked, key: Buffer, items: number, instead: string): Promise<void> {
  checkItems(asked, { items, key, instead })
  checkBytes(asked, { bytes: await asked.sizes.bytes(key, items), key, instead })
}

/** Redis tries a pattern on each name, and takes the longer the more stars are in it. */
export function checkPattern(pattern = ''): void {
  if (pattern.length <= 256 && pattern.split('*').length <= 9) return
  throw refused('A pattern has at most 256 letters and 8 stars here: Redis tries it on each name.')
}

function checkCounts(asked: Asked, from: number): number[] {
  const counts = valuesOf(asked, 'COUNT', from)
  for (const value of counts) checkOption(asked, 'COUNT', { value })
  return counts.map(Number)
}

function largest(keys: readonly Buffer[], sizes: readonly number[]): Buffer {
  return keys[sizes.indexOf(Math.max(...sizes))] ?? Buffer.alloc(0)
}
