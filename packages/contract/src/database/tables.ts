import * as z from 'zod'
import { DATA_PAGE_SIZE } from '#constants.ts'
import { databaseEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Flag, ifGiven, listOf } from '#shared.ts'
import { ByConnection } from './connections.ts'
import { CsvFormulas, ExportFormat, FILTER_OPERATORS, ResultColumn, ROW_EXPORTS, Row } from './rows.ts'

/** A backend may list tables by their bare names. */
export const Table = z
  .preprocess(
    (table: { name: string } | string) => (typeof table === 'string' ? { name: table } : table),
    object(() => ({
      name: z.string(),
      kind: ifGiven(z.enum(['table', 'view'])),
      rows: ifGiven(z.number()).describe('Absent if it would have to be counted'),
    })),
  )
  .meta({ id: 'Table' })
export type Table = z.output<typeof Table>

export const Column = object(() => ({
  cid: ifGiven(z.number()),
  name: z.string(),
  type: z.string().nullish(),
  notnull: Flag,
  pk: z
    .preprocess(
      (position: number | boolean) => (typeof position === 'boolean' ? Number(position) : position),
      z.number(),
    )
    .describe('Position in the primary key, counted from 1; 0 if the column is not part of it'),
})).meta({ id: 'Column' })
export type Column = z.output<typeof Column>

const ColumnStatistics = object(() => ({
  name: z.string(),
  min: z.string().nullish(),
  max: z.string().nullish(),
  nulls: z.number().nullish(),
  bytes: z.number().nullish().describe('Compressed size'),
}))

/** Files, row groups and column statistics, for formats that have them. */
export const TableStorage = object(() => ({
  files: z.number(),
  rows: z.number(),
  bytes: z.number(),
  row_groups: z.number(),
  compression: z.string().nullish(),
  columns: z.array(ColumnStatistics),
})).meta({ id: 'TableStorage' })
export type TableStorage = z.output<typeof TableStorage>

const RowFilter = strictObject(() => ({
  sort: z.string().min(1).max(500).optional().describe('The column to sort by'),
  order: z.enum(['asc', 'desc']).optional().describe('Default: asc'),
  filter_column: z.string().min(1).max(500).optional(),
  filter_operator: z.enum(FILTER_OPERATORS).optional().describe('Default: contains'),
  filter_value: z.string().max(2000).optional(),
}))
export type RowFilter = z.output<typeof RowFilter>

export const TableData = object(() => ({
  rows: z.array(Row),
  total: z.number(),
  total_is_estimate: ifGiven(z.boolean()),
  columns: ifGiven(z.array(ResultColumn)),
})).meta({ id: 'TableData' })
export type TableData = z.output<typeof TableData>

const TableSchema = z.preprocess(
  (reply: { columns: z.input<typeof Column>[]; storage?: z.input<typeof TableStorage> | undefined }) =>
    Array.isArray(reply) ? { columns: reply } : reply,
  object(() => ({ columns: z.array(Column), storage: ifGiven(TableStorage) })),
)

/** The largest page of rows. */
export const MAX_PAGE_SIZE = 1_000

const ByTable = strictObject(() => ({ ...ByConnection.shape, table: z.string().min(1) }))

export const tables = {
  list: databaseEndpoint('GET /api/db/:conn/tables', {
    summary: 'The tables of a connection',
    role: 'admin',
    params: ByConnection,
    reply: listOf('tables', Table),
  }),
  schema: databaseEndpoint('GET /api/db/:conn/tables/:table/schema', {
    summary: 'The columns of a table',
    role: 'admin',
    params: ByTable,
    reply: TableSchema,
  }),
  data: databaseEndpoint('GET /api/db/:conn/tables/:table/data', {
    summary: 'A page of rows',
    role: 'admin',
    params: ByTable,
    query: strictObject(() => ({
      ...RowFilter.shape,
      limit: z.coerce.number<number>().int().min(1).max(MAX_PAGE_SIZE).default(DATA_PAGE_SIZE),
      offset: z.coerce.number<number>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    })),
    reply: TableData,
  }),
  export: databaseEndpoint('GET /api/db/:conn/tables/:table/export', {
    summary: 'All rows of a table as a file, without a limit',
    role: 'admin',
    origin: 'ours',
    produces: Object.values(ROW_EXPORTS),
    params: ByTable,
    query: strictObject(() => ({
      ...RowFilter.shape,
      format: ExportFormat.default('csv'),
      formulas: CsvFormulas.default('text'),
    })),
    reply: z.string(),
  }),
}
