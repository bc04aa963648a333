import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Failed, Succeeded, verdictOf } from '#outcome.ts'
import { Id, ifGiven, listOf } from '#shared.ts'
import { ByConnection } from './connections.ts'
import { ResultColumn, Row } from './rows.ts'

/** A statement that fails is a result too: it answers 200 with `success: false`. */
export const QueryResult = verdictOf(
  Succeeded.extend({
    execution_time: z.number().describe('In seconds'),
    rows: z.array(Row).nullish(),
    rows_affected: z.number().nullish(),
    columns: ifGiven(z.array(ResultColumn)),
    message: z.string().nullish(),
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

export const queries = {
  run: endpoint('POST /api/db/:conn/query', {
    summary: 'Run a statement',
    role: 'admin',
    params: ByConnection,
    body: z.strictObject({ query: z.string().min(1) }),
    reply: QueryResult,
  }),
  history: endpoint('GET /api/db/:conn/query-history', {
    summary: 'The statements run, newest first',
    role: 'admin',
    params: ByConnection,
    reply: listOf('history', QueryHistoryItem),
  }),
}
