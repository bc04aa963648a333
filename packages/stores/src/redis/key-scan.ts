import type { DriverCapabilities, Filter, Key } from '#driver.ts'
import { StoreRefusal, unknownColumn } from '#store-refusal.ts'
import type { Send } from './connection.ts'
import { KEY_COLUMNS, textOf } from './key-values.ts'

/** A position in a scan: the cursor, and how many keys of its reply to skip. */
export interface ScanPosition {
  cursor: string
  skip: number
}

export const SCAN_START: ScanPosition = { cursor: '0', skip: 0 }

/** One step takes Redis a few hundred microseconds. */
const SCAN_COUNT = 500

export interface ScannedKey {
  key: Buffer
  /** The position after this key; undefined after the last. */
  next: ScanPosition | undefined
}

/** Scans the keys from a position. Never uses KEYS, which blocks the server. */
export async function* scanKeys(
  send: Send,
  { position, filter }: { position: ScanPosition; filter?: Filter | undefined },
): AsyncGenerator<ScannedKey> {
  const options = scanOptions(filter)
  for (let from: ScanPosition | undefined = position; from !== undefined; ) {
    const { cursor, skip }: ScanPosition = from
    const [next, keys] = await scan(send, cursor, options)
    from = next === '0' ? undefined : { cursor: next, skip: 0 }
    const positions = keys.map((key, index) => ({ key, next: { cursor, skip: index + 1 } }))
    yield* positions.slice(skip, -1)
    const last = keys.at(-1)
    if (last !== undefined && keys.length > skip) yield { key: last, next: from }
  }
}

export function keyOfPosition({ cursor, skip }: ScanPosition): Key {
  return [cursor, skip]
}

export function positionOfKey([cursor, skip]: Key): ScanPosition {
  return { cursor: String(cursor), skip: Number(skip) }
}

async function scan(send: Send, cursor: string, options: string[]): Promise<[string, Buffer[]]> {
  const reply = await send('SCAN', cursor, ...options, 'COUNT', SCAN_COUNT)
  const [next, keys]: unknown[] = Array.isArray(reply) ? reply : []
  return [String(textOf(next)), Array.isArray(keys) ? keys : []]
}

/** What SCAN itself can filter by. */
export const KEY_FILTERS: NonNullable<DriverCapabilities['filters']> = [
  { column: 'key', operators: ['contains', 'eq'] },
  { column: 'type', operators: ['eq'] },
]

/** The options of SCAN for a filter. Other filters are refused. */
function scanOptions(filter: Filter | undefined): string[] {
  if (filter === undefined) return []
  const { column, operator, value } = filter
  if (!KEY_COLUMNS.some(({ name }) => name === column)) throw unknownColumn('filter_column', column)
  if (column === 'key' && operator === 'contains') return ['MATCH', `*${eitherCase(value)}*`]
  if (column === 'key' && operator === 'eq') return ['MATCH', value.replaceAll(/[\\*?[\]]/g, '\\$&')]
  if (column === 'type' && operator === 'eq') return ['TYPE', value.toLowerCase()]
  const sentence = "Redis can filter only by 'key contains', 'key equals' and 'type equals'."
  throw new StoreRefusal('store.unsupported', sentence)
}

function eitherCase(text: string): string {
  return [...text]
    .map((letter) => {
      if (/[\\*?[\]]/.test(letter)) return `\\${letter}`
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
      // A character class matches one byte, so only ASCII letters get one.
      return lower !== upper && /[a-z]/i.test(letter) ? `[${lower}${upper}]` : letter
    })
    .join('')
}
