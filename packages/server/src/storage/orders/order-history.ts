import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { OrderId, OrderStatus, OrderView } from '@binnacle/engine'
import { CHECKPOINT_PAGES } from '#storage/checkpoint.ts'

/** What is asked of past orders: the newest of them first. */
export interface PastOrdersQuery {
  /** Only orders placed before the one of this number. */
  before: number
  status?: OrderStatus | undefined
  limit: number
}

/** Orders that are finished, all of them; the views hold the working ones and the latest of these. */
export interface PastOrders {
  page(query: PastOrdersQuery): OrderView[]
  find(id: OrderId): OrderView | null
}

/** The entry up to which every finished order is there, by its place and checksum in the journal. */
export interface Mark {
  seq: number
  chain: number
}

/** The table of finished orders. It follows from the journal, and can be made anew from it. */
export interface OrderHistory extends PastOrders {
  mark(): Mark
  /** Adds finished orders and moves the mark, both or neither; kept through a power cut when asked to be. */
  add(orders: readonly OrderView[], mark: Mark, isDurable?: boolean): void
  /** Forgets everything, to be filled from the journal's beginning. */
  clear(): void
  close(): void
}

const FORM = `
  CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, status TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS orders_by_status ON orders (status, number);
  CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO mark VALUES (1, 0, 0);
`
const BUSY_TIMEOUT_MS = 5000

/** Opens the table for the one who writes it; a file that is no database any more is begun again. */
export function openOrderHistory(file: string): OrderHistory {
  const database = openOrReplace(file)
  const run = {
    ...prepareReading(database),
    mark: database.prepare('SELECT seq, chain FROM mark'),
    insert: database.prepare('INSERT OR REPLACE INTO orders VALUES (?, ?, ?)'),
    moveMark: database.prepare('UPDATE mark SET seq = ?, chain = ?'),
  }
  return {
    ...reading(run),
    // The form puts the one row there when the file is made.
    mark: () => run.mark.get() as unknown as Mark,
    add(orders, { seq, chain }, isDurable = false) {
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}; BEGIN IMMEDIATE`)
      try {
        for (const order of orders) run.insert.run(order.number, order.status, JSON.stringify(order))
        run.moveMark.run(seq, chain)
        database.exec('COMMIT')
      } catch (fault) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw fault
      }
    },
    clear: () => database.exec('DELETE FROM orders; UPDATE mark SET seq = 0, chain = 0'),
    close: () => database.close(),
  }
}

/** Opens the table for a thread that only reads it. */
export function openPastOrders(file: string): PastOrders & { close(): void } {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  return { ...reading(prepareReading(database)), close: () => database.close() }
}

function openOrReplace(file: string): DatabaseSync {
  try {
    return openFormed(file)
  } catch {
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
    return openFormed(file)
  }
}

function openFormed(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    database.exec(FORM)
    return database
  } catch (fault) {
    database.close()
    throw fault
  }
}

type Reading = ReturnType<typeof prepareReading>

function prepareReading(database: DatabaseSync) {
  return {
    page: database.prepare('SELECT text FROM orders WHERE number < ? ORDER BY number DESC LIMIT ?'),
    pageOf: database.prepare(
      'SELECT text FROM orders WHERE status = ? AND number < ? ORDER BY number DESC LIMIT ?',
    ),
    one: database.prepare('SELECT text FROM orders WHERE number = ?'),
  }
}

function reading(run: Reading): PastOrders {
  return {
    page: ({ before, status, limit }) =>
      status === undefined ? views(run.page, before, limit) : views(run.pageOf, status, before, limit),
    find(id) {
      const number = orderNumber(id)
      const found = number === undefined ? undefined : views(run.one, number)[0]
      return found ?? null
    },
  }
}

/** Orders are numbered as they are placed, and their ids say the number. */
export function orderNumber(id: string): number | undefined {
  const [, digits] = /^O-(\d{1,15})$/.exec(id) ?? []
  return digits === undefined ? undefined : Number(digits)
}

function views(statement: StatementSync, ...values: (string | number)[]): OrderView[] {
  // What was written there was typed.
  return statement.all(...values).map(({ text }) => JSON.parse(String(text)) as OrderView)
}
