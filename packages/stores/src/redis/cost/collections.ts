import { type CostCheck, integer, keyAt, type PendingCommand, spanOf, valuesOf } from './cost-check.ts'
import { checkBytes, checkItems, checkOption, MAX_ITEMS, MAX_SCANNED_ITEMS, refused } from './limits.ts'

/** Checks a command that reads the complete key. */
export function checkWholeKey(instead: string, at = 0): CostCheck {
  return async (command) => {
    const key = keyAt(command, at)
    const items = await command.sizes.items(key)
    checkItems(command, { items, key, instead })
    checkBytes(command, { bytes: await command.sizes.bytes(key, items), key, instead })
  }
}

/** Checks a range of positions in the second and third argument. */
export function checkPositions(instead: string): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    const [start, stop] = [integer(command.words[1]), integer(command.words[2])]
    await checkPart(command, key, spanOf(start, stop, await command.sizes.items(key)), instead)
  }
}

/** Checks the count in the second argument, which may be negative. */
export function checkNumber(instead: string): CostCheck {
  return (command) => {
    const items = command.words[1] === undefined ? 1 : Math.abs(integer(command.words[1]))
    return checkPart(command, keyAt(command, 0), items || 0, instead)
  }
}

/** Checks COUNT, or the whole key without it. */
export function checkCountOption(instead: string, from: number): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    const counts = checkCounts(command, from)
    const all = await command.sizes.items(key)
    await checkPart(command, key, counts.length === 0 ? all : Math.max(...counts), instead)
  }
}

/** Checks LIMIT, or the whole sorted set without it. */
export function checkLimitOption(instead: string): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    for (const value of valuesOf(command, 'LIMIT', 3))
      checkOption(command, 'LIMIT', { value, min: 0, max: MAX_SCANNED_ITEMS })
    const counts = valuesOf(command, 'LIMIT', 3, 2)
    for (const value of counts) checkOption(command, 'LIMIT with its offset', { value, min: 0 })
    const all = await command.sizes.items(key)
    await checkPart(command, key, counts.length === 0 ? all : Math.max(...counts.map(Number)), instead)
  }
}

/** ZRANGE uses positions unless BYSCORE or BYLEX is given. */
export function checkRange(position: CostCheck, limit: CostCheck): CostCheck {
  return (command) => {
    const options = command.words.slice(3)
    return options.includes('BYSCORE') || options.includes('BYLEX') ? limit(command) : position(command)
  }
}

/** Checks COUNT and MATCH of a scan step. */
export function checkScanStep(from: number): CostCheck {
  return async (command) => {
    const counts = checkCounts(command, from)
    for (const pattern of valuesOf(command, 'MATCH', from)) checkPattern(pattern)
    if (from === 1) return
    await checkPart(command, keyAt(command, 0), Math.max(10, ...counts), `${command.name} {} 0 COUNT 10`)
  }
}

/** Checks the sum of all keys. */
export function checkSum(keysOf: (command: PendingCommand) => readonly Buffer[], instead: string): CostCheck {
  return async (command) => {
    const keys = keysOf(command)
    const sizes = await Promise.all(keys.map((key) => command.sizes.items(key)))
    const items = sizes.reduce((sum, size) => sum + size, 0)
    checkItems(command, { items, key: largest(keys, sizes), instead })
    const bytes = await Promise.all(keys.map((key) => command.sizes.bytes(key, MAX_ITEMS)))
    checkBytes(command, {
      bytes: bytes.reduce((sum, size) => sum + size, 0),
      key: largest(keys, bytes),
      instead,
    })
  }
}

/** Checks the smallest key: each of its items is looked up in all others. */
export function checkSmallest(
  keysOf: (command: PendingCommand) => readonly Buffer[],
  instead: string,
  max = MAX_ITEMS,
): CostCheck {
  return async (command) => {
    const keys = keysOf(command)
    const sizes = await Promise.all(keys.map((key) => command.sizes.items(key)))
    const key = keys[sizes.indexOf(Math.min(...sizes))] ?? keyAt(command, 0)
    const items = keys.length === 0 ? 0 : Math.min(...sizes)
    checkItems(command, { items, max, key, instead })
    checkItems(command, { items: items * keys.length, max: MAX_SCANNED_ITEMS, key, instead })
    if (max === MAX_ITEMS) checkBytes(command, { bytes: await command.sizes.bytes(key, items), key, instead })
  }
}

/** Checks a geo search, which may examine every member. */
export function checkNearby(instead: string): CostCheck {
  return async (command) => {
    const key = keyAt(command, 0)
    const counts = checkCounts(command, 1)
    const items = await command.sizes.items(key)
    checkItems(command, { items, max: counts.length === 0 ? MAX_ITEMS : MAX_SCANNED_ITEMS, key, instead })
  }
}

export async function checkPart(
  command: PendingCommand,
  key: Buffer,
  items: number,
  instead: string,
): Promise<void> {
  checkItems(command, { items, key, instead })
  checkBytes(command, { bytes: await command.sizes.bytes(key, items), key, instead })
}

/** Matching cost grows with the number of stars, and Redis matches every name. */
export function checkPattern(pattern = ''): void {
  if (pattern.length <= 256 && pattern.split('*').length <= 9) return
  throw refused('A pattern may have at most 256 characters and 8 stars: Redis matches it against every name.')
}

function checkCounts(command: PendingCommand, from: number): number[] {
  const counts = valuesOf(command, 'COUNT', from)
  for (const value of counts) checkOption(command, 'COUNT', { value })
  return counts.map(Number)
}

function largest(keys: readonly Buffer[], sizes: readonly number[]): Buffer {
  return keys[sizes.indexOf(Math.max(...sizes))] ?? Buffer.alloc(0)
}
