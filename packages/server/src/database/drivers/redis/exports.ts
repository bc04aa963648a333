import type { Filter, RowStream, Sort } from '../driver.ts'
import { FOR_EXPORT, sizeOf } from '../encode.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { SCAN_START, type ScanPlace, scanKeys } from './key-scan.ts'
import { KEY_COLUMNS, readKey } from './key-values.ts'
import type { Send, Visits } from './visit.ts'

interface KeyExport {
  database: number
  sort?: Sort | undefined
  filter?: Filter | undefined
}

const BATCH = 100
const BATCH_BYTES = 4 * 1024 * 1024
const GROUP = 20

/** Every key with all it holds. Each batch is a visit of its own, so that a slow reader keeps no connection open. */
export async function openKeyExport(
  visits: Visits,
  source: KeyExport,
  signal: AbortSignal,
): Promise<RowStream> {
  if (source.sort !== undefined) {
    throw new StoreRefusal('store.unsupported', 'Redis keeps its keys in no order and cannot sort them.')
  }
  const first = await visits.visit({ database: source.database, isWhole: true }, signal, (send) =>
    readBatch(send, SCAN_START, source),
  )
  return { columns: KEY_COLUMNS, batches: batchesFrom(first, visits, source, signal) }
}

interface KeyBatch {
  rows: unknown[][]
  next: ScanPlace | undefined
}

async function* batchesFrom(
  first: KeyBatch,
  visits: Visits,
  source: KeyExport,
  signal: AbortSignal,
): AsyncGenerator<unknown[][]> {
  if (first.rows.length > 0) yield first.rows
  for (let place = first.next; place !== undefined; ) {
    const from = place
    const batch = await visits.visit({ database: source.database, isWhole: true }, signal, (send) =>
      readBatch(send, from, source),
    )
    // A scan may end with steps that find nothing.
    if (batch.rows.length > 0) yield batch.rows
    place = batch.next
  }
}

/** Up to a number of keys or of bytes, the keys of each group read side by side. */
async function readBatch(send: Send, place: ScanPlace, { filter }: KeyExport): Promise<KeyBatch> {
  const rows: unknown[][] = []
  let next: ScanPlace | undefined = place
  let bytes = 0
  while (next !== undefined && rows.length < BATCH && bytes < BATCH_BYTES) {
    const group = await readGroup(send, next, filter)
    rows.push(...group.rows)
    bytes += sizeOf(group.rows)
    next = group.next
  }
  return { rows, next }
}

async function readGroup(send: Send, place: ScanPlace, filter: Filter | undefined): Promise<KeyBatch> {
  const keys: Buffer[] = []
  let next: ScanPlace | undefined
  for await (const scanned of scanKeys(send, { place, filter })) {
    keys.push(scanned.key)
    next = scanned.next
    if (keys.length === GROUP) break
  }
  const rows = await Promise.all(keys.map((key) => readKey(send, key, FOR_EXPORT)))
  // A group that is not full is the last one, whatever place its last key told.
  return { rows: rows.filter((row) => row !== undefined), next: keys.length < GROUP ? undefined : next }
}
