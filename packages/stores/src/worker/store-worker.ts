import type { FieldFault } from '@binnacle/contract'
import type {
  CheckedStatement,
  Page,
  PageRequest,
  PlanNode,
  ResultCaps,
  RowSource,
  ServerInfo,
  StatementResult,
  TableEntry,
  TableSchema,
} from '#driver.ts'
import type { ExportCell, ExportColumn } from '#export-form.ts'
import type { StoreRefusalCode } from '#store-refusal.ts'

type MaybePromise<Value> = Value | Promise<Value>

/**
 * A file store inside a worker process. Calls may block and cannot be cancelled: the process is killed instead.
 */
export interface StoreWorker {
  ping(): MaybePromise<ServerInfo>
  tables(): MaybePromise<TableEntry[]>
  schema(table: string): MaybePromise<TableSchema>
  page(request: PageRequest): MaybePromise<Page>
  check(statement: string): MaybePromise<CheckedStatement>
  run(statement: string, caps: ResultCaps): MaybePromise<StatementResult>
  explain(statement: string): MaybePromise<PlanNode>
  stream(source: RowSource): MaybePromise<StoreWorkerStream>
}

export interface StoreWorkerStream {
  columns: ExportColumn[]
  batches: Iterator<ExportCell[][]> | AsyncIterator<ExportCell[][]>
}

/** What a worker process opens. */
export type StoreWorkerTarget =
  | {
      kind: 'sqlite'
      file: string
      /** Device and inode of the file; absent while it does not exist. */
      inode?: string | undefined
      writable: boolean
      hiddenColumns: readonly string[]
    }
  | { kind: 'parquet'; folder: string }

/** A call to a worker; `next` reads the next batch of the open stream. */
export type StoreWorkerCall =
  | { [Name in keyof StoreWorker]: { name: Name; args: Parameters<StoreWorker[Name]> } }[keyof StoreWorker]
  | { name: 'next'; args: [] }

export type StoreWorkerReply =
  | { value: unknown }
  | { refusal: { code: StoreRefusalCode; detail: string; errors?: FieldFault[] | undefined } }
  | { fault: string }
