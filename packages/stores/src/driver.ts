import type {
  CONNECTION_TYPES,
  Column,
  FILTER_OPERATORS,
  PlanStep,
  ResultColumn,
  Row,
  TableStorage,
} from '@binnacle/contract'
import type { ExportCell, ExportColumn } from '#export-form.ts'

export type StoreKind = (typeof CONNECTION_TYPES)[number]

/**
 * The driver of one connection. It throws a StoreRefusal for what it cannot do, may not do or cannot reach; any other
 * error is a fault. Aborting the signal ends the work in the store, and the call rejects with the signal's reason.
 */
export interface Driver {
  readonly kind: StoreKind
  readonly capabilities: DriverCapabilities
  /** Connects and returns the product and version. */
  ping(signal: AbortSignal): Promise<ServerInfo>
  tables(signal: AbortSignal): Promise<TableEntry[]>
  schema(table: string, signal: AbortSignal): Promise<TableSchema>
  page(request: PageRequest, signal: AbortSignal): Promise<Page>
  /**
   * Checks one statement once, with the store's own grammar, and runs what was checked. Throws a StoreRefusal when it may
   * not be run. A write takes effect only when `beforeWrite` resolves; without it every write runs.
   */
  run(
    statement: string,
    caps: ResultCaps,
    signal: AbortSignal,
    beforeWrite?: BeforeWrite,
  ): Promise<StatementResult>
  /** All rows in batches, without a cap, for exports. Leaving the loop early ends the statement. */
  stream(source: RowSource, signal: AbortSignal): Promise<RowStream>
  explain(statement: string, signal: AbortSignal): Promise<PlanStep>
  /** Closes processes and sockets. The next call opens new ones. */
  close(): Promise<void>
}

/** What the driver supports on this connection; other calls throw 'store.unsupported'. */
export interface DriverCapabilities {
  /** SQL or, for Redis, commands. */
  language: 'sql' | 'commands'
  /** Whether statements may change data. */
  write: boolean
  explain: boolean
  sort: boolean
  filter: boolean
  /** The only filters that work; absent where every column takes every operator. */
  filters?: { column: string; operators: FilterOperator[] }[] | undefined
  backup: boolean
  restore: boolean
}

/** A connection with its string in plain text. Never log or send it. */
export interface ConnectionConfig {
  /** The connection's id: a row id, or a name such as 'binnacle-admin' for an own store. */
  id: string
  name: string
  kind: StoreKind
  databaseName: string
  connectionString: string
  writable: boolean
  /** PostgreSQL: whether the owner accepts reading with a role that can reach beyond the database. */
  acceptsPrivilegedRole?: boolean | undefined
  /** Time limit of users' statements. The service enforces it by the signal; a driver may set it on its server too. */
  timeLimitMs: number
  /** Whether it is one of Binnacle's own stores. */
  isOwn?: boolean | undefined
  /** Columns of own stores that are never shown, as 'table.column'. */
  hiddenColumns?: readonly string[] | undefined
}

/** The folders and hosts that drivers may access. */
export interface FolderAccess {
  /** Absolute paths of folders for users' SQLite files and Parquet folders. */
  databaseFolders: readonly string[]
  /** Binnacle's own folder. Users' connections cannot reach it, except for allowed folders inside. */
  dataFolder: string
  /** Hosts beyond loopback that PostgreSQL and Redis connections may reach. */
  databaseHosts?: readonly AllowedHost[] | undefined
}

/** A host that connections may reach; without a port, at every port. */
export interface AllowedHost {
  name: string
  port: number | undefined
}

export interface ServerInfo {
  /** Product and version, such as 'PostgreSQL 18.1'. */
  version: string
  /** Warnings for the user, such as a superuser role. */
  warnings: string[]
}

export interface TableEntry {
  name: string
  kind?: 'table' | 'view' | undefined
  /** Set when known without counting. */
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
  /** The key of a neighbouring page; without it the offset is used. */
  anchor?: Anchor | undefined
}

export interface Sort {
  column: string
  descending: boolean
}

export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** One condition. The value is the typed text; it is bound and compared in the column's type. */
export interface Filter {
  column: string
  operator: FilterOperator
  value: string
}

/** The page begins right after this key or ends right before it. */
export interface Anchor {
  key: Key
  side: 'after' | 'before'
}

/** The values of the ordering columns, as plain JSON. Only the driver interprets them. */
export type Key = readonly (string | number | null)[]

export interface Page {
  columns: ResultColumn[]
  rows: Row[]
  total: number
  totalIsEstimate: boolean
  /** The keys of the first and last row, if the table has one. */
  firstKey?: Key | undefined
  lastKey?: Key | undefined
}

/** What a destructive statement would do, and the name to type for it. */
export interface Confirmation {
  table: string
  sentence: string
}

/**
 * Called before a write runs, and once more before the commit of one that has changed every row of a table. A rejection
 * undoes the write, and the run rejects with it.
 */
export type BeforeWrite = (confirm: Confirmation | undefined) => Promise<void>

/** What a statement does, by the store's grammar. */
export interface StatementEffect {
  kind: 'read' | 'write'
  confirm?: Confirmation | undefined
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
  /** The cap that cut the rows. */
  cut?: 'rows' | 'bytes' | undefined
}

export type RowSource =
  | { table: string; sort?: Sort | undefined; filter?: Filter | undefined }
  | { statement: string }

export interface RowStream {
  columns: ExportColumn[]
  /** Rows as arrays in column order, in the text forms of the columns. */
  batches: AsyncIterable<ExportCell[][]>
}
