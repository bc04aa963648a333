import * as z from 'zod'
import { DATA_PAGE_SIZE } from '#constants.ts'
import { endpoint } from '#endpoint.ts'
import { Flag, ifGiven, listOf } from '#shared.ts'
import { ByConnection } from './connections.ts'
import { ResultColumn, Row } from './rows.ts'

/** A backend may list tables by their bare names. */
export const Table = z
  .preprocess(
    (told: { name: string } | string) => (typeof told === 'string' ? { name: told } : told),
    z.object({ name: z.string() }),
  )
  .meta({ id: 'Table' })
export type Table = z.output<typeof Table>

export const Column = z
  .object({
    cid: ifGiven(z.number()),
    name: z.string(),
    type: z.string().nullish(),
    notnull: Flag,
    pk: z
      .preprocess((told: number | boolean) => (typeof told === 'boolean' ? Number(told) : told), z.number())
      .describe('The place in the primary key, counted from 1; 0 when the column is no part of it'),
  })
  .meta({ id: 'Column' })
export type Column = z.output<typeof Column>

export const TableData = z
  .object({
    rows: z.array(Row),
    total: z.number(),
    total_is_estimate: ifGiven(z.boolean()),
    columns: ifGiven(z.array(ResultColumn)),
  })
  .meta({ id: 'TableData' })
export type TableData = z.output<typeof TableData>

/** The most rows a page may ask for. */
export const MAX_PAGE_SIZE = 1_000

const ByTable = ByConnection.extend({ table: z.string().min(1) })

export const tables = {
  list: endpoint('GET /api/db/:conn/tables', {
    summary: 'The tables of a connection',
    role: 'admin',
    params: ByConnection,
    reply: listOf('tables', Table),
  }),
  schema: endpoint('GET /api/db/:conn/tables/:table/schema', {
    summary: 'The columns of a table',
    role: 'admin',
    params: ByTable,
    reply: listOf('columns', Column),
  }),
  data: endpoint('GET /api/db/:conn/tables/:table/data', {
    summary: 'A page of rows',
    role: 'admin',
    params: ByTable,
    query: z.strictObject({
      limit: z.coerce.number<number>().int().min(1).max(MAX_PAGE_SIZE).default(DATA_PAGE_SIZE),
      offset: z.coerce.number<number>().int().min(0).default(0),
    }),
    reply: TableData,
  }),
}
