import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type ClosedPositionView,
  type FillRecord,
  type FinishedStatus,
  type FundingRecord,
  idFrom,
  type KeyedOrder,
  type OrderFilter,
  type OrderHistory,
  type OrderId,
  type OrderView,
  type RecordPage,
  seqFrom,
} from '@binnacle/engine'
import { isDamaged, moveAside } from '#storage/damaged-file.ts'
import { prepareInsert } from '#storage/insert-rows.ts'
import { BUSY_TIMEOUT_MS, WRITER_CHECKPOINT_PAGES } from '#storage/sqlite-limits.ts'
import { prepareTransaction } from '#storage/transaction.ts'

/** The journal entry up to which everything is stored. */
export interface HistoryPosition {
  seq: number
  chain: number
}

/** What an entry adds to the history. */
export interface HistoryRows {
  /** Finished orders. */
  readonly orders?: readonly OrderView[]
  /** Orders placed with an idempotency key. */
  readonly keyed?: readonly KeyedOrder[]
  readonly fills?: readonly FillRecord[]
  readonly closed?: readonly ClosedPositionView[]
  readonly decisions?: readonly DecisionPrice[]
  readonly funding?: readonly FundingRecord[]
}

/** The mid price at which an order was decided; null when the journal has no quote of it. */
export interface DecisionPrice {
  readonly orderId: OrderId
  readonly mid: number | null
}

/**
 * Finished orders, the keys of all orders, fills, closed positions, decision prices and funding. It is derived from the
 * journal and can be rebuilt from it.
 */
export interface OrderHistoryStore extends OrderHistory {
  /** True for a file of an older version, which lacks tables and must be rebuilt. */
  readonly isOutdated: boolean
  position(): HistoryPosition
  /** Adds rows and moves the position in one transaction; `isDurable` syncs it to disk. */
  add(rows: HistoryRows, position: HistoryPosition, isDurable?: boolean): void
  /** Deletes everything before a rebuild from the journal. */
  clear(): void
  close(): void
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, status TEXT NOT NULL, instrument TEXT NOT NULL, strategy TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS orders_by_status ON orders (status, number);
  CREATE INDEX IF NOT EXISTS orders_by_instrument ON orders (instrument, status, number);
  CREATE INDEX IF NOT EXISTS orders_by_strategy ON orders (strategy, status, number);
  CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO mark VALUES (1, 0, 0);
  CREATE TABLE IF NOT EXISTS order_keys (key TEXT PRIMARY KEY, number INTEGER NOT NULL, seq INTEGER NOT NULL, terms TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fills (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, seq INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS fills_by_order ON fills (number, id);
  CREATE TABLE IF NOT EXISTS closed_positions (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS decisions (number INTEGER PRIMARY KEY, mid REAL NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS funding (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
`

/**
 * Version 0 had no keys, version 1 neither fills nor closed positions, version 2 neither decision prices nor funding, and
 * before version 4 instrument and strategy of an order were only in its text. A version that writes other texts for the
 * same entries needs a new number, since the rows are compared with the journal.
 */
const SCHEMA_VERSION = 4

/**
 * Opens the database for its one writer. A damaged file is moved aside and replaced by an empty one, which the journal fills;
 * on any other failure, such as a full disk, the file stays, since it holds the position that detects a truncated journal.
 */
export function openOrderHistory(file: string, onDamage?: (message: string) => void): OrderHistoryStore {
  const database = openOrReplace(file, onDamage)
  const statements = {
    ...prepareReadStatements(database),
    insertOrders: prepareInsert(database, 'INSERT OR REPLACE INTO orders', ORDER_COLUMNS),
    insertKeys: prepareInsert(database, 'INSERT OR REPLACE INTO order_keys', 4),
    insertFills: prepareInsert(database, 'INSERT INTO fills (number, seq, text)', 3),
    insertClosed: prepareInsert(database, 'INSERT INTO closed_positions (seq, text)', 2),
    insertDecisions: prepareInsert(database, 'INSERT OR REPLACE INTO decisions', 2),
    insertFunding: prepareInsert(database, 'INSERT INTO funding (seq, text)', 2),
    movePosition: database.prepare('UPDATE mark SET seq = ?, chain = ?'),
  }
  const inTransaction = prepareTransaction(database)
  return {
    ...createReader(statements),
    isOutdated: versionOf(database) < SCHEMA_VERSION,
    add(rows, { seq, chain }, isDurable = false) {
      const { orders = [], keyed = [], fills = [], closed = [], decisions = [], funding = [] } = rows
      database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
      inTransaction(() => {
        statements.insertOrders(valuesOf(orders, addOrderRow))
        statements.insertKeys(
          valuesOf(keyed, (row, { orderId, seq: placed, terms }) =>
            row.push(terms.key, numberIn(orderId), placed, JSON.stringify(terms)),
          ),
        )
        statements.insertFills(
          valuesOf(fills, (row, fill) => row.push(numberIn(fill.orderId), fill.seq, JSON.stringify(fill))),
        )
        statements.insertClosed(
          valuesOf(closed, (row, position) => row.push(position.seq, JSON.stringify(position))),
        )
        statements.insertDecisions(
          valuesOf(decisions, (row, { orderId, mid }) => mid !== null && row.push(numberIn(orderId), mid)),
        )
        statements.insertFunding(valuesOf(funding, (row, paid) => row.push(paid.seq, JSON.stringify(paid))))
        statements.movePosition.run(seq, chain)
      })
    },
    clear: () =>
      database.exec(
        `BEGIN; DELETE FROM orders; DELETE FROM order_keys; DELETE FROM fills; DELETE FROM closed_positions; DELETE FROM decisions; DELETE FROM funding; UPDATE mark SET seq = 0, chain = 0; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
      ),
    close: () => database.close(),
  }
}

const ORDER_COLUMNS = 5

/** The columns of an order in the order of the table. */
export function orderRow(order: OrderView): SQLInputValue[] {
  return valuesOf([order], addOrderRow)
}

function addOrderRow(row: SQLInputValue[], order: OrderView): void {
  row.push(order.number, order.status, order.instrument, order.strategy, JSON.stringify(order))
}

/** The values of all rows, one after another. `flatMap` takes three times as long. */
function valuesOf<Row>(
  rows: readonly Row[],
  add: (values: SQLInputValue[], row: Row) => void,
): SQLInputValue[] {
  const values: SQLInputValue[] = []
  for (const row of rows) add(values, row)
  return values
}

/** Opens the database read-only, for another thread. */
export function openOrderHistoryReader(file: string): OrderHistory & { close(): void } {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  return { ...createReader(prepareReadStatements(database)), close: () => database.close() }
}

function openOrReplace(file: string, onDamage?: (message: string) => void): DatabaseSync {
  try {
    return openWithSchema(file)
  } catch (fault) {
    if (!isDamaged(fault)) throw fault
    const aside = moveAside(file)
    onDamage?.(`${file} was damaged. It was moved to ${aside} and is filled from the journal.`)
    return openWithSchema(file)
  }
}

function openWithSchema(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES}`)
    const isNew = database.prepare('SELECT name FROM sqlite_schema').get() === undefined
    // Its orders are rebuilt from the journal; the position stays, by which a truncated journal is detected.
    if (versionOf(database) < SCHEMA_VERSION) database.exec('DROP TABLE IF EXISTS orders')
    database.exec(SCHEMA)
    if (isNew) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    return database
  } catch (fault) {
    database.close()
    throw fault
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

type ReadStatements = ReturnType<typeof prepareReadStatements>

function prepareReadStatements(database: DatabaseSync) {
  return {
    orders: createOrderSearch(database),
    one: database.prepare('SELECT text FROM orders WHERE number = ?'),
    key: database.prepare('SELECT number, seq, terms FROM order_keys WHERE key = ?'),
    fills: database.prepare('SELECT id, text FROM fills WHERE id < ? ORDER BY id DESC LIMIT ?'),
    fillsOf: database.prepare(
      'SELECT id, text FROM fills WHERE number = ? AND id < ? ORDER BY id DESC LIMIT ?',
    ),
    closed: database.prepare('SELECT id, text FROM closed_positions WHERE id < ? ORDER BY id DESC LIMIT ?'),
    position: database.prepare('SELECT seq, chain FROM mark'),
  }
}

function createReader(statements: ReadStatements): OrderHistory & Pick<OrderHistoryStore, 'position'> {
  return {
    page: (query) => statements.orders.page(query),
    count: (filter) => statements.orders.count(filter),
    find(id) {
      const number = orderNumber(id)
      const found = number === undefined ? undefined : readViews(statements.one, number)[0]
      return found ?? null
    },
    findKey(key) {
      const row = statements.key.get(key)
      if (row === undefined) return null
      const orderId = idFrom<OrderId>(`O-${row.number}`)
      return { orderId, seq: seqFrom(Number(row.seq)), terms: JSON.parse(String(row.terms)) }
    },
    fills: ({ before = Number.MAX_SAFE_INTEGER, limit, orderId }) =>
      orderId === undefined
        ? readRecords(statements.fills, before, limit)
        : readRecords(statements.fillsOf, orderNumber(orderId) ?? 0, before, limit),
    closedPositions: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      readRecords(statements.closed, before, limit),
    // The schema inserts the one row when the file is created.
    position: () => statements.position.get() as unknown as HistoryPosition,
  }
}

/** Returns the number in an order id such as O-17; undefined for any other text. */
export function orderNumber(id: string): number | undefined {
  const [, digits] = /^O-(\d{1,15})$/.exec(id) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the number in an id of the engine, which needs no check. */
function numberIn(id: OrderId): number {
  return Number(id.slice(2))
}

/** Every condition is bound; a statement per combination of conditions is prepared once. */
export function createOrderSearch(database: DatabaseSync): Pick<OrderHistory, 'page' | 'count'> {
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const next = database.prepare('SELECT number, text FROM orders WHERE number >= ? ORDER BY number LIMIT 1')
  const last = database.prepare('SELECT max(number) AS number FROM orders')

  /** Orders are numbered as they are placed, so a time is a number: that of the first order placed at or after it. */
  function numberAt(at: number): number {
    let [low, high] = [1, Number(last.get()?.number ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = next.get(middle)
      const isAfter = row === undefined || createdAt(row.text) >= at
      if (isAfter) high = middle
      else low = Number(row.number) + 1
    }
    return low
  }

  function conditionsOf({ instrument, strategy, from, to }: OrderFilter, status?: OrderView['status']) {
    const parts: [sql: string, value: string | number | undefined][] = [
      ['instrument = ?', instrument],
      ['strategy = ?', strategy],
      ['status = ?', status],
      ['number >= ?', from && numberAt(from)],
      ['number < ?', to && numberAt(to)],
    ]
    const given = parts.filter(([, value]) => value !== undefined)
    return {
      sql: given.map(([sql]) => `AND ${sql}`).join(' '),
      values: given.map(([, value]) => value ?? ''),
    }
  }

  return {
    page({ before, status, limit, ...filter }) {
      // An index of instrument or strategy is in the order of numbers only within one status.
      const isIndexed = filter.instrument !== undefined || filter.strategy !== undefined
      const statuses = status === undefined && isIndexed ? FINISHED : [status]
      const found = statuses.flatMap((each) => {
        const { sql, values } = conditionsOf(filter, each)
        const text = `SELECT text FROM orders WHERE number < ? ${sql} ORDER BY number DESC LIMIT ?`
        return readViews(prepare(text), before, ...values, limit)
      })
      return found.sort((one, other) => other.number - one.number).slice(0, limit)
    },
    count(filter) {
      // Within one status an index has all that is counted; grouped by status, a period is counted in the rows.
      const of = (status: FinishedStatus) => {
        const { sql, values } = conditionsOf(filter, status)
        return Number(
          prepare(`SELECT count(*) AS orders FROM orders WHERE true ${sql}`).get(...values)?.orders,
        )
      }
      return { FILLED: of('FILLED'), CANCELLED: of('CANCELLED'), REJECTED: of('REJECTED') }
    },
  }
}

const FINISHED = ['FILLED', 'CANCELLED', 'REJECTED'] as const satisfies FinishedStatus[]

function createdAt(text: unknown): number {
  // `add` wrote the text from an OrderView.
  return (JSON.parse(String(text)) as OrderView).createdAt
}

function readViews(statement: StatementSync, ...values: (string | number)[]): OrderView[] {
  // `add` wrote the text from an OrderView.
  return statement.all(...values).map(({ text }) => JSON.parse(String(text)) as OrderView)
}

function readRecords<Row>(statement: StatementSync, ...values: number[]): RecordPage<Row> {
  const found = statement.all(...values)
  const id = found.at(-1)?.id
  return {
    // `add` wrote the text from such a row.
    rows: found.map(({ text }) => JSON.parse(String(text)) as Row),
    last: id === undefined ? undefined : Number(id),
  }
}
