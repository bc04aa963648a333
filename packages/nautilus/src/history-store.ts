import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import type { ClosedPositionView, Instant } from '@binnacle/engine'
import type { Row } from './protocol.ts'
import { isFinished } from './to-views.ts'

/** What the console keeps of a node beyond the node's own memory. */
export type HistoryRecord =
  | { readonly kind: 'order'; readonly row: Row<'orders'> }
  | { readonly kind: 'closed'; readonly row: Row<'positions'>; readonly side: ClosedPositionView['side'] }
  | { readonly kind: 'removed'; readonly row: Row<'strategies'>; readonly at: Instant }

export interface HistoryStore {
  /** Those of earlier runs of the console, oldest first, one for each object. */
  readonly records: readonly HistoryRecord[]
  /** Adds what it does not have yet. The node has it too, so a failed write loses nothing while the node runs. */
  add(record: HistoryRecord): void
  close(): Promise<void>
}

export interface HistoryStoreOptions {
  /** How many records of each kind are kept at an opening; the oldest go first. */
  readonly maxRecords?: number
  readonly onFault?: (message: string) => void
}

const MAX_RECORDS = 50_000

/** Opens the file: one record on each line. A line that a crash cut short is skipped. */
export async function openHistoryStore(
  file: string,
  { maxRecords = MAX_RECORDS, onFault = () => {} }: HistoryStoreOptions = {},
): Promise<HistoryStore> {
  const text = await readFile(file, 'utf8').catch(emptyIfAbsent)
  const lines = text.split('\n').filter((line) => line !== '')
  const records = latestOf(lines.flatMap(parseRecord), maxRecords)
  if (records.length < lines.length || (text !== '' && !text.endsWith('\n'))) await replace(file, records)
  return new FileHistoryStore(await open(file, 'a', 0o600), records, onFault)
}

function emptyIfAbsent(fault: NodeJS.ErrnoException): string {
  if (fault.code !== 'ENOENT') throw fault
  return ''
}

class FileHistoryStore implements HistoryStore {
  readonly #handle: FileHandle
  readonly #onFault: (message: string) => void
  readonly #stored = new Set<string>()
  readonly records: readonly HistoryRecord[]
  #last: Promise<void> = Promise.resolve()
  #waiting: string[] = []

  constructor(handle: FileHandle, records: readonly HistoryRecord[], onFault: (message: string) => void) {
    this.#handle = handle
    this.#onFault = onFault
    this.records = records
    for (const record of records) this.#stored.add(versionOf(record))
  }

  add(record: HistoryRecord): void {
    const version = versionOf(record)
    if (this.#stored.has(version)) return
    this.#stored.add(version)
    this.#waiting.push(`${JSON.stringify(record)}\n`)
    // The rows of a snapshot are written together.
    if (this.#waiting.length === 1) this.#last = this.#last.then(() => this.#write())
  }

  async close(): Promise<void> {
    await this.#last
    await this.#handle.close()
  }

  async #write(): Promise<void> {
    const lines = this.#waiting
    this.#waiting = []
    try {
      await this.#handle.appendFile(lines.join(''))
    } catch (fault) {
      this.#onFault(fault instanceof Error ? fault.message : String(fault))
    }
  }
}

/** An order is written when it is new and when it is over. */
function versionOf(record: HistoryRecord): string {
  const { kind, row } = record
  switch (kind) {
    case 'order':
      return `order ${row.id} ${isFinished(row)}`
    case 'closed':
      return `closed ${row.id} ${row.ts_closed}`
    case 'removed':
      return `removed ${row.id}`
  }
}

function keyOf(record: HistoryRecord): string {
  return record.kind === 'order' ? `order ${record.row.id}` : versionOf(record)
}

/** The last record of each object, in the order of the first, and no more than the newest of each kind. */
function latestOf(records: readonly HistoryRecord[], maxRecords: number): HistoryRecord[] {
  const latest = new Map<string, HistoryRecord>()
  for (const record of records) latest.set(keyOf(record), record)
  const byKind = Map.groupBy(latest.values(), ({ kind }) => kind)
  const dropped = new Set([...byKind.values()].flatMap((some) => some.slice(0, -maxRecords)))
  return [...latest.values()].filter((record) => !dropped.has(record))
}

async function replace(file: string, records: readonly HistoryRecord[]): Promise<void> {
  await writeFile(`${file}.new`, records.map((record) => `${JSON.stringify(record)}\n`).join(''), {
    mode: 0o600,
  })
  await rename(`${file}.new`, file)
}

function parseRecord(line: string): HistoryRecord[] {
  try {
    // Only this file writes records; a line that a crash cut short does not parse.
    return [JSON.parse(line) as HistoryRecord]
  } catch {
    return []
  }
}
