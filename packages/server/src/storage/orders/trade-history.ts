import { DatabaseSync } from 'node:sqlite'
import {
  type ClosedPositionView,
  type FillRecord,
  type FinishedStatus,
  type FundingRecord,
  instantFromMs,
} from '@binnacle/engine'
import { BUSY_TIMEOUT_MS } from '#storage/sqlite-limits.ts'
import { createOrderSearch } from './order-history.ts'

/** Times in milliseconds, the end exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** A fill with the mid price at which its order was decided; null when the journal has none. */
export interface PricedFill extends FillRecord {
  readonly mid: number | null
}

export interface ClosedPage {
  readonly rows: readonly ClosedPositionView[]
  /** The number of the last row, for the next page; undefined on the last page. */
  readonly next: number | undefined
}

export interface ClosedQuery extends TimeRange {
  readonly strategy?: string | undefined
  readonly instrument?: string | undefined
  /** Only rows with a lower number. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Reads the order history by time. */
export interface TradeHistory {
  fills(range: TimeRange): Iterable<PricedFill>
  /** By the time at which they were closed, oldest first. */
  closed(range: TimeRange): Iterable<ClosedPositionView>
  funding(range: TimeRange): Iterable<FundingRecord>
  /** Finished orders that were placed in the period. */
  countOrders(range: TimeRange): Readonly<Record<FinishedStatus, number>>
  /** Latest first. */
  closedPage(query: ClosedQuery): ClosedPage
  close(): void
}

/** Opens the file read-only; the engine writes to it. */
export function openTradeHistory(file: string): TradeHistory {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  const fills = prepareTable(
    database,
    'fills',
    'SELECT text, (SELECT mid FROM decisions WHERE decisions.number = fills.number) AS mid FROM fills',
  )
  const closed = prepareTable(database, 'closed_positions', 'SELECT text FROM closed_positions')
  const funding = prepareTable(database, 'funding', 'SELECT text FROM funding')
  const orders = createOrderSearch(database)
  const page = database.prepare(`
    SELECT id, text FROM closed_positions WHERE id >= :first AND id < :end
      AND (:strategy IS NULL OR json_extract(text, '$.strategy') = :strategy)
      AND (:instrument IS NULL OR json_extract(text, '$.instrument') = :instrument)
    ORDER BY id DESC LIMIT :limit`)
  return {
    *fills(range) {
      for (const { text, mid } of fills.rows(range)) yield { ...parse<FillRecord>(text), mid: numberOf(mid) }
    },
    *closed(range) {
      for (const { text } of closed.rows(range)) yield parse<ClosedPositionView>(text)
    },
    *funding(range) {
      for (const { text } of funding.rows(range)) yield parse<FundingRecord>(text)
    },
    countOrders: ({ from, to }) => orders.count({ from: instantFromMs(from), to: instantFromMs(to) }),
    closedPage({ from, to, strategy = null, instrument = null, before, limit }) {
      const first = closed.idAt(from)
      const end = Math.min(closed.idAt(to), before ?? Number.MAX_SAFE_INTEGER)
      const found = page.all({ first, end, strategy, instrument, limit: limit + 1 })
      const shown = found.slice(0, limit)
      return {
        rows: shown.map(({ text }) => parse<ClosedPositionView>(text)),
        next: found.length > limit ? Number(shown.at(-1)?.id) : undefined,
      }
    },
    close: () => database.close(),
  }
}

/** Rows are numbered in the order of the journal, so a time is a number: that of the first row at or after it. */
function prepareTable(database: DatabaseSync, name: string, select: string) {
  const next = database.prepare(`SELECT id, text FROM ${name} WHERE id >= ? ORDER BY id LIMIT 1`)
  const last = database.prepare(`SELECT max(id) AS id FROM ${name}`)
  const read = database.prepare(`${select} WHERE id >= ? AND id < ? ORDER BY id`)

  function idAt(at: number): number {
    let [low, high] = [1, Number(last.get()?.id ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = next.get(middle)
      if (row === undefined || timeOf(row.text) >= at) high = middle
      else low = Number(row.id) + 1
    }
    return low
  }

  return { idAt, rows: ({ from, to }: TimeRange) => read.iterate(idAt(from), idAt(to)) }
}

function timeOf(text: unknown): number {
  // A fill and funding have `at`, a closed position `closedAt`.
  const { at, closedAt = at } = parse<{ at?: number; closedAt?: number }>(text)
  return closedAt ?? 0
}

function parse<Row>(text: unknown): Row {
  // The projection wrote each text from such a row.
  return JSON.parse(String(text)) as Row
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value)
}
