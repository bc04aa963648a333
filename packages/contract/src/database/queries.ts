import * as z from 'zod'
import { databaseEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Failed, failureUnlessTrue, Succeeded } from '#outcome.ts'
import { Done, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { ByConnection } from './connections.ts'
import { CsvFormulas, ExportFormat, ResultColumn, ROW_EXPORTS, Row } from './rows.ts'

/** Size limits of a statement's result, the second 16 MiB. Exports have none. */
export const RESULT_ROW_CAP = 10_000
export const RESULT_BYTE_CAP = 16_777_216

/** A statement that fails is a result too: it answers 200 with `success: false`. */
export const QueryResult = failureUnlessTrue(
  object(() => ({
    ...Succeeded.shape,
    execution_time: z.number().describe('In seconds'),
    rows: z.array(Row).nullish(),
    rows_affected: z.number().nullish(),
    columns: ifGiven(z.array(ResultColumn)),
    message: z.string().nullish(),
    is_cut: ifGiven(z.boolean()).describe('Whether rows were cut off at a limit; the message names it'),
    error: ifGiven(z.null()),
  })),
  object(() => ({ ...Failed.shape, execution_time: ifGiven(z.number()) })),
).meta({ id: 'QueryResult' })
export type QueryResult = z.output<typeof QueryResult>

export const QueryHistoryItem = object(() => ({
  id: Id,
  query: z.string(),
  status: z.string().describe('success; any other text means that it failed'),
  executed_at: z.string(),
  execution_time: z.number().nullish().describe('In seconds'),
  error_message: z.string().nullish(),
})).meta({ id: 'QueryHistoryItem' })
export type QueryHistoryItem = z.output<typeof QueryHistoryItem>

const Statement = textUpTo(50_000).min(1)

/** Chosen by the client, so that it can cancel a statement before the reply arrives. */
const QueryId = z
  .string()
  .regex(/^[\w-]{8,64}$/, 'must be 8 to 64 letters, digits, dashes and underscores, such as a UUID')

export interface PlanStep {
  title: string
  detail?: string | undefined
  rows?: number | undefined
  cost?: number | undefined
  children: PlanStep[]
}

/** One step of a plan; the deepest steps run first. */
export const PlanStep: z.ZodType<PlanStep, PlanStep> = object(() => ({
  title: z.string(),
  detail: z.string().optional(),
  rows: z.number().optional().describe('Estimated number of rows'),
  cost: z.number().optional(),
  get children() {
    return z.array(PlanStep)
  },
})).meta({ id: 'PlanStep' })

export const SavedQuery = object(() => ({
  id: Id,
  name: z.string(),
  query: z.string(),
  created_at: z.string(),
})).meta({ id: 'SavedQuery' })
export type SavedQuery = z.output<typeof SavedQuery>

export const queries = {
  run: databaseEndpoint('POST /api/db/:conn/query', {
    summary: 'Run a statement',
    role: 'admin',
    params: ByConnection,
    body: strictObject(() => ({
      query: Statement,
      query_id: QueryId.optional(),
      confirm: z
        .string()
        .max(500)
        .optional()
        .describe("The table's name, to confirm a statement that drops, truncates or writes without WHERE"),
    })),
    reply: QueryResult,
  }),
  cancel: databaseEndpoint('POST /api/db/:conn/queries/:queryId/cancel', {
    summary: 'Stop a running statement',
    role: 'admin',
    origin: 'ours',
    alwaysOn: true,
    params: strictObject(() => ({ ...ByConnection.shape, queryId: PathId })),
    reply: Done,
  }),
  explain: databaseEndpoint('POST /api/db/:conn/explain', {
    summary: 'The execution plan of a statement, as a tree; the statement is not run',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: strictObject(() => ({ query: Statement })),
    reply: object(() => ({ plan: PlanStep })),
  }),
  format: databaseEndpoint('POST /api/db/:conn/format', {
    summary: 'Format a statement',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: strictObject(() => ({ query: Statement })),
    reply: object(() => ({ query: z.string() })),
  }),
  export: databaseEndpoint('POST /api/db/:conn/export', {
    summary: 'All rows of a read-only statement as a file, without a limit',
    role: 'admin',
    origin: 'ours',
    produces: Object.values(ROW_EXPORTS),
    params: ByConnection,
    body: strictObject(() => ({
      query: Statement,
      format: ExportFormat.default('csv'),
      formulas: CsvFormulas.default('text'),
    })),
    reply: z.string(),
  }),
  history: databaseEndpoint('GET /api/db/:conn/query-history', {
    summary: 'Query history, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('history', QueryHistoryItem),
  }),
}

export const savedQueries = {
  list: databaseEndpoint('GET /api/db/:conn/saved-queries', {
    summary: 'The saved queries of a connection, by name',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: listOf('queries', SavedQuery),
  }),
  add: databaseEndpoint('POST /api/db/:conn/saved-queries', {
    summary: 'Save a query under a name; an existing query of that name is replaced',
    role: 'admin',
    origin: 'ours',
    status: 201,
    params: ByConnection,
    body: strictObject(() => ({ name: lineUpTo(100), query: Statement })),
    reply: SavedQuery,
  }),
  remove: databaseEndpoint('DELETE /api/db/:conn/saved-queries/:queryId', {
    summary: 'Delete a saved query',
    role: 'admin',
    origin: 'ours',
    params: strictObject(() => ({ ...ByConnection.shape, queryId: PathId })),
    reply: Done,
  }),
}
