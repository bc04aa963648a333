import type { Page, PageRequest } from '#driver.ts'
import { rowOf } from '#encode.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type { Send } from './connection.ts'
import { keyOfPosition, positionOfKey, SCAN_START, type ScannedKey, scanKeys } from './key-scan.ts'
import { KEY_COLUMNS, readKey } from './key-values.ts'

/** In a larger database the keys that match a filter are not counted. */
const MAX_COUNTED_KEYS = 200_000

/** A page of keys. SCAN only moves forward, so without a position of the previous page it starts at the first key. */
export async function readPage(send: Send, request: PageRequest): Promise<Page> {
  if (request.sort !== undefined) {
    throw new StoreRefusal('store.unsupported', 'Redis cannot sort keys.')
  }
  const keys = await keysOfPage(send, request)
  const rows = await Promise.all(keys.map(({ key }) => readKey(send, key)))
  const last = keys.at(-1)?.next
  const total = await countKeys(send, request, keys.length)
  return {
    columns: KEY_COLUMNS,
    rows: rows.flatMap((row) => (row === undefined ? [] : [rowOf(KEY_COLUMNS, row)])),
    ...total,
    ...(last !== undefined && { firstKey: keyOfPosition(SCAN_START), lastKey: keyOfPosition(last) }),
  }
}

async function keysOfPage(send: Send, { limit, offset, anchor, filter }: PageRequest): Promise<ScannedKey[]> {
  const isAfter = anchor?.side === 'after'
  const position = isAfter ? positionOfKey(anchor.key) : SCAN_START
  let toSkip = isAfter ? 0 : offset
  const found: ScannedKey[] = []
  const seen = new Set<string>()
  for await (const scanned of scanKeys(send, { position, filter })) {
    // SCAN may return a key twice while the server rehashes.
    const name = scanned.key.toString('latin1')
    if (seen.has(name)) continue
    if (toSkip > 0) toSkip -= 1
    else {
      seen.add(name)
      found.push(scanned)
    }
    if (found.length === limit) break
  }
  return found
}

async function countKeys(
  send: Send,
  { filter, offset }: PageRequest,
  found: number,
): Promise<Pick<Page, 'total' | 'totalIsEstimate'>> {
  const all = Number(await send('DBSIZE'))
  if (filter === undefined) return { total: all, totalIsEstimate: false }
  if (all > MAX_COUNTED_KEYS) return { total: offset + found, totalIsEstimate: true }
  let total = 0
  for await (const _ of scanKeys(send, { position: SCAN_START, filter })) total += 1
  return { total, totalIsEstimate: false }
}
