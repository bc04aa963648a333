import type {
  CONNECTION_TYPES,
  Column,
  FILTER_OPERATORS,
  ResultColumn,
  Row,
  TableStorage,
} from '@binnacle/contract'

export type StoreKind = (typeof CONNECTION_TYPES)[number]

/**
 * One real store behind one connection. What it cannot do, will not do or could not reach is a thrown
 * StoreRefusal; anything else thrown is a fault. An aborted signal ends the work in the store itself, and
 * the call then rejects with the signal's reason.
 */
export interface Driver {
  readonly kind: StoreKind
  readonly can: Abilities
  /** Reaches the store and tells what answers. */
  ping(signal: AbortSignal): Promise<Greeting>
  tables(signal: AbortSignal): Promise<TableEntry[]>
  schema(table: string, signal: AbortSignal): Promise<TableSchema>
  page(request: PageRequest, signal: AbortSignal): Promise<Page>
  /** What a statement would do, decided by the store's own grammar; a StoreRefusal when it may not be run. */
  check(statement: string, signal: AbortSignal): Promise<CheckedStatement>
  /** Runs one statement. Checks it again itself: a read-only connection never writes, whoever calls. */
  run(statement: string, caps: ResultCaps, signal: AbortSignal): Promise<StatementResult>
  /** All rows without a cap, for exports, pulled batch by batch; leaving the loop early ends the work. */
  stream(source: RowSource, signal: AbortSignal): Promise<RowStream>
  explain(statement: string, signal: AbortSignal): Promise<PlanNode>
  /** Lets go of processes and sockets. The driver can be used again after it and then opens anew. */
  close(): Promise<void>
}

/** What this driver can do on this connection; the rest it refuses with 'store.unsupported'. */
export interface Abilities {
  /** SQL or, for Redis, commands. */
  language: 'sql' | 'commands'
  /** Whether statements may change rows: the store can be written and the connection is writable. */
  write: boolean
  explain: boolean
  sort: boolean
  filter: boolean
  backup: boolean
  restore: boolean
}

/** A connection as a driver needs it, its string in plain text. Never log or reply it whole. */
export interface Target {
  /** The connection's id: a row number, or a name such as 'binnacle-admin' for a store of our own. */
  id: string
  name: string
  kind: StoreKind
  databaseName: string
  connectionString: string
  writable: boolean
  /** For statements of people. The service turns it into the signal; a driver may also tell its server. */
  timeLimitMs: number
  /** A store of our own, wherever it lies; never of a connection that a person added. */
  isOwn?: boolean | undefined
  /** Of our own stores: columns that are never shown, as 'table.column'. */
  hiddenColumns?: readonly string[] | undefined
}

/** Where the drivers that work on files may go. */
export interface Places {
  /** Folders, absolute, in which people may have SQLite files and Parquet folders. */
  databaseFolders: readonly string[]
  /** Ours: nothing in it is reached through a connection that a person added, allowed folders in it apart. */
  dataFolder: string
}

export interface Greeting {
  /** The product and version that answered, such as 'PostgreSQL 18.1'. */
  version: string
  /** What a person should know, such as that the role is a superuser. */
  warnings: string[]
}

export interface TableEntry {
  name: string
  kind?: 'table' | 'view' | undefined
  /** When it is known without counting. */
  rows?: number | undefined
}

export interface TableSchema {
  columns: Column[]
  storage?: TableStorage | undefined
}

export interface PageRequest {
  table: string
  limit: number
  offset: number
  sort?: Sort | undefined
  filter?: Filter | undefined
  /** A key remembered from a neighbouring page; without it the offset counts alone. */
  anchor?: Anchor | undefined
}

export interface Sort {
  column: string
  descending: boolean
}

export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One condition. The value is text as a person typed it, to be bound and compared in the column's type. */
export interface Filter {
  column: string
  operator: FilterOperator
  value: string
}

/** The rows wanted begin right after this key, or end right before it. */
export interface Anchor {
  key: Key
  side: 'after' | 'before'
}

/** The values of the columns that order the rows; opaque to all but the driver, and plain JSON. */
export type Key = readonly (string | number | null)[]

export interface Page {
  columns: ResultColumn[]
  rows: Row[]
  total: number
  totalIsEstimate: boolean
  /** Of the first and last row, when there is a key to go by. */
  firstKey?: Key | undefined
  lastKey?: Key | undefined
}

export interface CheckedStatement {
  kind: 'read' | 'write'
  /** For what drops, truncates or writes without WHERE: the name to type again, and what would happen. */
  confirm?: { table: string; sentence: string } | undefined
}

export interface ResultCaps {
  rows: number
  bytes: number
}

export interface StatementResult {
  columns: ResultColumn[]
  rows: Row[]
  /** Null for a statement that only reads. */
  rowsAffected: number | null
  /** Which cap ended the rows early. */
  cut?: 'rows' | 'bytes' | undefined
}

export type RowSource =
  | { table: string; sort?: Sort | undefined; filter?: Filter | undefined }
  | { statement: string }

export interface RowStream {
  columns: ResultColumn[]
  /** Rows as lists in the order of the columns, values encoded with their blobs whole. */
  batches: AsyncIterable<unknown[][]>
}

/** One step of a plan; the deepest run first. */
export interface PlanNode {
  title: string
  detail?: string | undefined
  /** As estimated. */
  rows?: number | undefined
  cost?: number | undefined
  children: PlanNode[]
}
