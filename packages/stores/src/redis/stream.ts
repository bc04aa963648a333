import type { Filter, RowStream, Sort } from '#driver.ts'
import { sizeOf } from '#encode.ts'
import type { ExportCell } from '#export-form.ts'
import { StoreRefusal } from '#store-refusal.ts'
import type { RedisConnections, Send } from './connection.ts'
import { SCAN_START, type ScanPosition, scanKeys } from './key-scan.ts'
import { EXPORT_COLUMNS, exportKey } from './key-values.ts'

interface KeyExport {
  database: number
  sort?: Sort | undefined
  filter?: Filter | undefined
}

const BATCH_KEYS = 100
const BATCH_BYTES = 4 * 1024 * 1024
const GROUP_KEYS = 20

/** Every key with its complete value. Each batch uses its own connection, so a slow reader holds none open. */
export async function openKeyExport(
  connections: RedisConnections,
  source: KeyExport,
  signal: AbortSignal,
): Promise<RowStream> {
  if (source.sort !== undefined) {
    throw new StoreRefusal('store.unsupported', 'Redis cannot sort keys.')
  }
  const first = await connections.use({ database: source.database, isUnlimited: true }, signal, (send) =>
    readBatch(send, SCAN_START, source),
  )
  return { columns: EXPORT_COLUMNS, batches: batchesFrom(first, connections, source, signal) }
}

interface KeyBatch {
  rows: ExportCell[][]
  next: ScanPosition | undefined
}

async function* batchesFrom(
  first: KeyBatch,
  connections: RedisConnections,
  source: KeyExport,
  signal: AbortSignal,
): AsyncGenerator<ExportCell[][]> {
  if (first.rows.length > 0) yield first.rows
  for (let position = first.next; position !== undefined; ) {
    const from = position
    const batch = await connections.use({ database: source.database, isUnlimited: true }, signal, (send) =>
      readBatch(send, from, source),
    )
    // The last scan steps may be empty.
    if (batch.rows.length > 0) yield batch.rows
    position = batch.next
  }
}

/** Reads groups of keys in parallel, up to a number of keys or bytes. */
async function readBatch(send: Send, position: ScanPosition, { filter }: KeyExport): Promise<KeyBatch> {
  const rows: ExportCell[][] = []
  let next: ScanPosition | undefined = position
  let bytes = 0
  while (next !== undefined && rows.length < BATCH_KEYS && bytes < BATCH_BYTES) {
    const group = await readGroup(send, next, filter)
    rows.push(...group.rows)
    bytes += sizeOf(group.rows)
    next = group.next
  }
  return { rows, next }
}

async function readGroup(send: Send, position: ScanPosition, filter: Filter | undefined): Promise<KeyBatch> {
  const keys: Buffer[] = []
  let next: ScanPosition | undefined
  for await (const scanned of scanKeys(send, { position, filter })) {
    keys.push(scanned.key)
    next = scanned.next
    if (keys.length === GROUP_KEYS) break
  }
  const rows = await Promise.all(keys.map((key) => exportKey(send, key)))
  // A group that is not full is the last one.
  return { rows: rows.filter((row) => row !== undefined), next: keys.length < GROUP_KEYS ? undefined : next }
}
