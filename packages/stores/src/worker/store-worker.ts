import type { FieldFault } from '@binnacle/contract'
import type {
  Admit,
  Confirmation,
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
  run(statement: string, caps: ResultCaps, admit: Admit): MaybePromise<StatementResult>
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
  | { [Name in Exclude<keyof StoreWorker, 'run'>]: CallOf<Name, Parameters<StoreWorker[Name]>> }[Exclude<
      keyof StoreWorker,
      'run'
    >]
  | CallOf<'run', [statement: string, caps: ResultCaps]>
  | CallOf<'next', []>

interface CallOf<Name, Args> {
  name: Name
  args: Args
}

/** The answer to an `admit` of the worker. */
export interface StoreWorkerAdmission {
  isAdmitted: boolean
}

/** `admit` asks a question in the middle of a call; the others end it. */
export type StoreWorkerReply =
  | { admit: Confirmation | undefined }
  | { value: unknown }
  | { refusal: { code: StoreRefusalCode; detail: string; errors?: FieldFault[] | undefined } }
  | { fault: string }
