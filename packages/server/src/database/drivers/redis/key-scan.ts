import type { Filter, Key } from '../driver.ts'
import { StoreRefusal, unknownColumn } from '../store-refusal.ts'
import { KEY_COLUMNS, textOf } from './key-values.ts'
import type { Send } from './visit.ts'

/** A place in a scan: where the server goes on, and how many of what it then tells to pass over. */
export interface ScanPlace {
  cursor: string
  skip: number
}

export const SCAN_START: ScanPlace = { cursor: '0', skip: 0 }

/** So many at once: a few hundred microseconds of the server's time. */
const SCAN_COUNT = 500

export interface ScannedKey {
  key: Buffer
  /** Where the scan goes on after this key; undefined after the last. */
  next: ScanPlace | undefined
}

/** The keys from a place on, never with KEYS, which would halt the server. */
export async function* scanKeys(
  send: Send,
  { place, filter }: { place: ScanPlace; filter?: Filter | undefined },
): AsyncGenerator<ScannedKey> {
  const narrowing = narrowingOf(filter)
  for (let from: ScanPlace | undefined = place; from !== undefined; ) {
    const { cursor, skip }: ScanPlace = from
    const [next, keys] = await scan(send, cursor, narrowing)
    from = next === '0' ? undefined : { cursor: next, skip: 0 }
    const places = keys.map((key, index) => ({ key, next: { cursor, skip: index + 1 } }))
    yield* places.slice(skip, -1)
    const last = keys.at(-1)
    if (last !== undefined && keys.length > skip) yield { key: last, next: from }
  }
}

export function keyOfPlace({ cursor, skip }: ScanPlace): Key {
  return [cursor, skip]
}

export function placeOfKey([cursor, skip]: Key): ScanPlace {
  return { cursor: String(cursor), skip: Number(skip) }
}

async function scan(send: Send, cursor: string, narrowing: string[]): Promise<[string, Buffer[]]> {
  const reply = await send('SCAN', cursor, ...narrowing, 'COUNT', SCAN_COUNT)
  const [next, keys]: unknown[] = Array.isArray(reply) ? reply : []
  return [String(textOf(next)), Array.isArray(keys) ? keys : []]
}

/** What the server itself can narrow a scan by. */
function narrowingOf(filter: Filter | undefined): string[] {
  if (filter === undefined) return []
  const { column, operator, value } = filter
  if (!KEY_COLUMNS.some(({ name }) => name === column)) throw unknownColumn('filter_column', column)
  if (column === 'key' && operator === 'contains') return ['MATCH', `*${eitherCase(value)}*`]
  if (column === 'key' && operator === 'eq') return ['MATCH', value.replaceAll(/[\\*?[\]]/g, '\\$&')]
  if (column === 'type' && operator === 'eq') return ['TYPE', value.toLowerCase()]
  const sentence = "Redis filters by 'key contains', 'key equals' and 'type equals' only."
  throw new StoreRefusal('store.unsupported', sentence)
}

function eitherCase(text: string): string {
  return [...text]
    .map((letter) => {
      if (/[\\*?[\]]/.test(letter)) return `\\${letter}`
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
      // A class stands for one byte.
      return lower !== upper && /[a-z]/i.test(letter) ? `[${lower}${upper}]` : letter
    })
    .join('')
}
