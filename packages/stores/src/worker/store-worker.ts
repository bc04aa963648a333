import type { PlanStep } from '@binnacle/contract'
import type {
  BeforeWrite,
  Confirmation,
  ConnectionConfig,
  Page,
  PageRequest,
  ResultCaps,
  RowSource,
  ServerInfo,
  StatementResult,
  TableEntry,
  TableSchema,
} from '#driver.ts'
import type { ExportCell, ExportColumn } from '#export-form.ts'
import type { StoreRefusal } from '#store-refusal.ts'

type MaybePromise<Value> = Value | Promise<Value>

/**
 * A store inside a worker process, which handles one call at a time. A call that blocks never sees its signal; the process
 * is killed instead.
 */
export interface StoreWorker {
  ping(signal: AbortSignal): MaybePromise<ServerInfo>
  tables(signal: AbortSignal): MaybePromise<TableEntry[]>
  schema(table: string, signal: AbortSignal): MaybePromise<TableSchema>
  page(request: PageRequest, signal: AbortSignal): MaybePromise<Page>
  run(
    statement: string,
    caps: ResultCaps,
    beforeWrite: BeforeWrite,
    signal: AbortSignal,
  ): MaybePromise<StatementResult>
  explain(statement: string, signal: AbortSignal): MaybePromise<PlanStep>
  stream(source: RowSource, signal: AbortSignal): MaybePromise<StoreWorkerStream>
}

export interface StoreWorkerStream {
  columns: ExportColumn[]
  batches: Iterator<ExportCell[][]> | AsyncIterator<ExportCell[][]>
}

/** What a worker process opens. */
export type StoreWorkerConfig =
  | {
      kind: 'sqlite'
      file: string
      /** Device and inode of the file; absent while it does not exist. */
      inode?: string | undefined
      writable: boolean
      hiddenColumns: readonly string[]
    }
  | { kind: 'parquet'; folder: string }
  | { kind: 'postgresql'; connection: ConnectionConfig }

/** What the arguments of a call are; `next` reads the next batch of the open stream. */
export interface StoreWorkerArgs {
  ping: []
  tables: []
  schema: [table: string]
  page: [request: PageRequest]
  run: [statement: string, caps: ResultCaps]
  explain: [statement: string]
  stream: [source: RowSource]
  next: []
}

export type StoreWorkerCall = {
  [Name in keyof StoreWorkerArgs]: { name: Name; args: StoreWorkerArgs[Name] }
}[keyof StoreWorkerArgs]

/** The first message opens the store; later ones are calls, answers to `beforeWrite`, and a cancel of the call in progress. */
export type StoreWorkerMessage =
  | { open: StoreWorkerConfig }
  | { call: StoreWorkerCall }
  | { write: 'approved' | 'refused' }
  | { cancel: true }

interface RefusalMessage extends Pick<StoreRefusal, 'code' | 'errors' | 'step'> {
  detail: string
}

/** What ends a call. */
export type StoreWorkerOutcome = { value: unknown } | { refusal: RefusalMessage } | { fault: string }

/** `beforeWrite` asks a question in the middle of a call. `memory` is what the process holds after it, in bytes. */
export type StoreWorkerReply =
  | { beforeWrite: Confirmation | undefined }
  | (StoreWorkerOutcome & { memory: number })
