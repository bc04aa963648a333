import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { BUSY_TIMEOUT_MS } from '#storage/sqlite-limits.ts'
import { prepareTransaction } from '#storage/transaction.ts'
import { type HistoryPosition, type HistoryRows, orderNumber, orderRow } from './order-history.ts'

/** Compares the order history with rows derived from the journal, and writes those that differ. */
export interface HistoryRepair {
  position(): HistoryPosition
  /** Compares the next rows in the order of the journal, in one short transaction. */
  compare(rows: Required<HistoryRows>): void
  /**
   * Deletes rows that the journal does not have. Returns false, without a change, if the history has gone on since: the
   * new rows must be compared first.
   */
  dropOthers(state: { seq: number; nextNumber: number; working: readonly number[] }): boolean
  /** Compares a slice of the keys with those seen; returns the last key, or undefined at the end. */
  dropOtherKeys(after: string, state: { seq: number; nextNumber: number }): string | undefined
  /** Rows so far: compared, and different, missing or without an entry. */
  readonly counts: HistoryCounts
  close(): void
}

export interface HistoryCounts {
  orders: number
  fills: number
  closedPositions: number
  keys: number
  differences: number
}

/** A transaction blocks the engine's writes, so it is short. */
const KEYS_PER_SLICE = 500

/** Opens a second connection: the engine thread writes to the same file. */
export function openHistoryRepair(file: string): HistoryRepair {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  const statements = prepare(database)
  const inTransaction = prepareTransaction(database)
  const counts: HistoryCounts = { orders: 0, fills: 0, closedPositions: 0, keys: 0, differences: 0 }
  const keysSeen = new KeyPrints()
  let paid = 0

  function repair(isSame: boolean, write: () => unknown): void {
    if (isSame) return
    counts.differences += 1
    write()
  }

  function drop(statement: keyof typeof statements, ...values: SQLInputValue[]): void {
    counts.differences += Number(statements[statement].run(...values).changes)
  }

  function compare({ orders, fills, closed, keyed, decisions, funding }: Required<HistoryRows>): void {
    for (const order of new Map(orders.map((order) => [order.number, order])).values()) {
      const row = orderRow(order)
      counts.orders += 1
      repair(isRow(statements.order.get(order.number), row), () => statements.putOrder.run(...row))
    }
    for (const fill of fills) {
      const row = [++counts.fills, orderNumber(fill.orderId) ?? 0, fill.seq, JSON.stringify(fill)]
      repair(isRow(statements.fill.get(row[0] ?? 0), row), () => statements.putFill.run(...row))
    }
    for (const position of closed) {
      const row = [++counts.closedPositions, position.seq, JSON.stringify(position)]
      repair(isRow(statements.closed.get(row[0] ?? 0), row), () => statements.putClosed.run(...row))
    }
    for (const { orderId, mid } of decisions) {
      const number = orderNumber(orderId) ?? 0
      const stored = statements.decision.get(number)
      repair((stored?.mid ?? null) === mid, () =>
        mid === null ? statements.dropDecision.run(number) : statements.putDecision.run(number, mid),
      )
    }
    for (const payment of funding) {
      const row = [++paid, payment.seq, JSON.stringify(payment)]
      repair(isRow(statements.funding.get(paid), row), () => statements.putFunding.run(...row))
    }
    for (const { orderId, seq, terms } of keyed) {
      const number = orderNumber(orderId) ?? 0
      const row = [terms.key, number, seq, JSON.stringify(terms)]
      const stored = statements.key.get(terms.key)
      counts.keys += 1
      keysSeen.set(number, String(terms.key))
      // Older versions let two orders have one key; the later one counts.
      repair(isRow(stored, row) || Number(stored?.number) > number, () => statements.putKey.run(...row))
    }
  }

  return {
    counts,
    // The statement selects the columns of a position, and its table has one row.
    position: () => statements.position.get() as unknown as HistoryPosition,
    compare: (rows) => inTransaction(() => compare(rows)),
    dropOthers: ({ seq, nextNumber, working }) =>
      inTransaction(() => {
        if (Number(statements.position.get()?.seq) !== seq) return false
        drop('dropOrders', nextNumber)
        for (const number of working) drop('dropOrder', number)
        drop('dropFills', counts.fills)
        drop('dropClosed', counts.closedPositions)
        drop('dropDecisions', nextNumber)
        drop('dropFunding', paid)
        return true
      }),
    dropOtherKeys: (after, { seq, nextNumber }) =>
      inTransaction(() => {
        const rows = statements.keysAfter.all(after, KEYS_PER_SLICE)
        for (const { key, number, seq: placed } of rows) {
          const isNew = Number(placed) > seq && Number(number) >= nextNumber
          if (!isNew && !keysSeen.has(Number(number), String(key))) drop('dropKey', String(key))
        }
        return rows.length < KEYS_PER_SLICE ? undefined : String(rows.at(-1)?.key)
      }),
    close: () => database.close(),
  }
}

function prepare(database: DatabaseSync) {
  return {
    position: database.prepare('SELECT seq, chain FROM mark'),
    order: database.prepare('SELECT number, status, instrument, strategy, text FROM orders WHERE number = ?'),
    putOrder: database.prepare('INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?)'),
    dropOrders: database.prepare('DELETE FROM orders WHERE number < 1 OR number >= ?'),
    dropOrder: database.prepare('DELETE FROM orders WHERE number = ?'),
    fill: database.prepare('SELECT id, number, seq, text FROM fills WHERE id = ?'),
    putFill: database.prepare('INSERT OR REPLACE INTO fills VALUES (?, ?, ?, ?)'),
    dropFills: database.prepare('DELETE FROM fills WHERE id < 1 OR id > ?'),
    closed: database.prepare('SELECT id, seq, text FROM closed_positions WHERE id = ?'),
    putClosed: database.prepare('INSERT OR REPLACE INTO closed_positions VALUES (?, ?, ?)'),
    dropClosed: database.prepare('DELETE FROM closed_positions WHERE id < 1 OR id > ?'),
    decision: database.prepare('SELECT mid FROM decisions WHERE number = ?'),
    putDecision: database.prepare('INSERT OR REPLACE INTO decisions VALUES (?, ?)'),
    dropDecision: database.prepare('DELETE FROM decisions WHERE number = ?'),
    dropDecisions: database.prepare('DELETE FROM decisions WHERE number < 1 OR number >= ?'),
    funding: database.prepare('SELECT id, seq, text FROM funding WHERE id = ?'),
    putFunding: database.prepare('INSERT OR REPLACE INTO funding VALUES (?, ?, ?)'),
    dropFunding: database.prepare('DELETE FROM funding WHERE id < 1 OR id > ?'),
    key: database.prepare('SELECT key, number, seq, terms FROM order_keys WHERE key = ?'),
    putKey: database.prepare('INSERT OR REPLACE INTO order_keys VALUES (?, ?, ?, ?)'),
    keysAfter: database.prepare('SELECT key, number, seq FROM order_keys WHERE key > ? ORDER BY key LIMIT ?'),
    dropKey: database.prepare('DELETE FROM order_keys WHERE key = ?'),
  }
}

/** Statements list the columns in the order of the row. */
function isRow(stored: object | undefined, row: readonly unknown[]): boolean {
  return stored !== undefined && Object.values(stored).every((value, index) => value === row[index])
}

/** A checksum of the key of every order: the keys themselves would need too much memory. */
class KeyPrints {
  #prints = new Uint32Array(1024)

  set(number: number, key: string): void {
    if (number >= this.#prints.length) {
      const larger = new Uint32Array(2 * number)
      larger.set(this.#prints)
      this.#prints = larger
    }
    this.#prints[number] = printOf(key)
  }

  has(number: number, key: string): boolean {
    return this.#prints[number] === printOf(key)
  }
}

/** Never 0, which stands for an order without a key. */
function printOf(key: string): number {
  return crc32(key) || 1
}
