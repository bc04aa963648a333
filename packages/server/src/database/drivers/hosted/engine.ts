import type { FieldFault, ResultColumn } from '@binnacle/contract'
import type {
  CheckedStatement,
  Greeting,
  Page,
  PageRequest,
  PlanNode,
  ResultCaps,
  RowSource,
  StatementResult,
  TableEntry,
  TableSchema,
} from '#database/drivers/driver.ts'
import type { StoreRefusalCode } from '#database/drivers/store-refusal.ts'

type Soon<Value> = Value | Promise<Value>

/**
 * A store on files, played inside a process of its own. It may block and needs no way to be stopped: the
 * process is killed instead.
 */
export interface Engine {
  ping(): Soon<Greeting>
  tables(): Soon<TableEntry[]>
  schema(table: string): Soon<TableSchema>
  page(request: PageRequest): Soon<Page>
  check(statement: string): Soon<CheckedStatement>
  run(statement: string, caps: ResultCaps): Soon<StatementResult>
  explain(statement: string): Soon<PlanNode>
  stream(source: RowSource): Soon<EngineStream>
}

export interface EngineStream {
  columns: ResultColumn[]
  batches: Iterator<unknown[][]> | AsyncIterator<unknown[][]>
}

/** What a process works on, handed over when it starts. */
export type EnginePlace =
  | {
      kind: 'sqlite'
      file: string
      /** Which file that is, whatever its name; absent while there is none. */
      inode?: string | undefined
      writable: boolean
      hiddenColumns: readonly string[]
    }
  | { kind: 'parquet'; place: string }

/** What a process is asked; `next` is the following batch of the stream that was asked for before. */
export type EngineCall =
  | { [Name in keyof Engine]: { name: Name; args: Parameters<Engine[Name]> } }[keyof Engine]
  | { name: 'next'; args: [] }

export type EngineAnswer =
  | { value: unknown }
  | { refusal: { code: StoreRefusalCode; detail: string; errors?: FieldFault[] | undefined } }
  | { fault: string }
