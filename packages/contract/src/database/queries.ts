import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Failed, Succeeded, verdictOf } from '#outcome.ts'
import { Done, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { ByConnection } from './connections.ts'
import { ExportFormat, ResultColumn, ROW_EXPORTS, Row } from './rows.ts'

/** The most that one statement's result holds; an export has no such end. */
export const RESULT_ROW_CAP = 10_000
export const RESULT_BYTE_CAP = 16 * 1024 * 1024

/** A statement that fails is a result too: it answers 200 with `success: false`. */
export const QueryResult = verdictOf(
  Succeeded.extend({
    execution_time: z.number().describe('In seconds'),
    rows: z.array(Row).nullish(),
    rows_affected: z.number().nullish(),
    columns: ifGiven(z.array(ResultColumn)),
    message: z.string().nullish(),
    is_cut: ifGiven(z.boolean()).describe('Whether the rows end at a cap; the message says at which'),
    error: ifGiven(z.null()),
  }),
  Failed.extend({ execution_time: ifGiven(z.number()) }),
).meta({ id: 'QueryResult' })
export type QueryResult = z.output<typeof QueryResult>

export const QueryHistoryItem = z
  .object({
    id: Id,
    query: z.string(),
    status: z.string().describe('success; any other text is no success'),
    executed_at: z.string(),
    execution_time: z.number().nullish().describe('In seconds'),
    error_message: z.string().nullish(),
  })
  .meta({ id: 'QueryHistoryItem' })
export type QueryHistoryItem = z.output<typeof QueryHistoryItem>

const Statement = textUpTo(50_000).min(1)

/** Chosen by the caller, so that it can cancel a statement whose reply it is still waiting for. */
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

/** One step of a plan; the deepest run first. */
export const PlanStep: z.ZodType<PlanStep, PlanStep> = z
  .object({
    title: z.string(),
    detail: z.string().optional(),
    rows: z.number().optional().describe('As estimated'),
    cost: z.number().optional(),
    get children() {
      return z.array(PlanStep)
    },
  })
  .meta({ id: 'PlanStep' })

export const SavedQuery = z
  .object({ id: Id, name: z.string(), query: z.string(), created_at: z.string() })
  .meta({ id: 'SavedQuery' })
export type SavedQuery = z.output<typeof SavedQuery>

export const queries = {
  run: endpoint('POST /api/db/:conn/query', {
    summary: 'Run a statement',
    role: 'admin',
    params: ByConnection,
    body: z.strictObject({
      query: Statement,
      query_id: QueryId.optional(),
      confirm: z
        .string()
        .max(500)
        .optional()
        .describe("The table's name, for what drops, truncates or writes without WHERE"),
    }),
    reply: QueryResult,
  }),
  cancel: endpoint('POST /api/db/:conn/queries/:queryId/cancel', {
    summary: 'Stop a running statement',
    role: 'admin',
    origin: 'ours',
    alwaysOn: true,
    params: ByConnection.extend({ queryId: PathId }),
    reply: Done,
  }),
  explain: endpoint('POST /api/db/:conn/explain', {
    summary: 'How a statement would be run, as a tree; it is not run',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: z.strictObject({ query: Statement }),
    reply: z.object({ plan: PlanStep }),
  }),
  format: endpoint('POST /api/db/:conn/format', {
    summary: 'A statement laid out for reading',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: z.strictObject({ query: Statement }),
    reply: z.object({ query: z.string() }),
  }),
  export: endpoint('POST /api/db/:conn/export', {
    summary: 'All rows of a reading statement as a file, without a cap',
    role: 'admin',
    origin: 'ours',
    produces: Object.values(ROW_EXPORTS),
    params: ByConnection,
    body: z.strictObject({ query: Statement, format: ExportFormat.default('csv') }),
    reply: z.string(),
  }),
  history: endpoint('GET /api/db/:conn/query-history', {
    summary: 'The statements run, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('history', QueryHistoryItem),
  }),
}

export const savedQueries = {
  list: endpoint('GET /api/db/:conn/saved-queries', {
    summary: 'The statements kept for a connection, by name',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: listOf('queries', SavedQuery),
  }),
  add: endpoint('POST /api/db/:conn/saved-queries', {
    summary: 'Keep a statement under a name; the same name again replaces it',
    role: 'admin',
    origin: 'ours',
    status: 201,
    params: ByConnection,
    body: z.strictObject({ name: lineUpTo(100), query: Statement }),
    reply: SavedQuery,
  }),
  remove: endpoint('DELETE /api/db/:conn/saved-queries/:queryId', {
    summary: 'Forget a kept statement',
    role: 'admin',
    origin: 'ours',
    params: ByConnection.extend({ queryId: PathId }),
    reply: Done,
  }),
}
