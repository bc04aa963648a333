import * as z from 'zod'
import { object } from '#object.ts'
import { isRecord } from '#shared.ts'

/**
 * A row by column name. The Binnacle server sends big integers and decimals as strings, times as ISO 8601,
 * JSON as JSON and blobs as BlobPreview (CALL-29).
 */
export const Row = z
  // z.record would check every cell, which blocks the thread for ten thousand rows.
  .custom<Record<string, unknown>>(isRecord)
  .meta({ id: 'Row', type: 'object', additionalProperties: {} })
export type Row = z.output<typeof Row>

export const BlobPreview = object(() => ({
  $blob: z.string().describe('The first KiB, in base64'),
  bytes: z.number(),
})).meta({ id: 'BlobPreview' })
export type BlobPreview = z.output<typeof BlobPreview>

/** Name and type of a column; the Binnacle server sends them with every set of rows (CALL-30). */
export const ResultColumn = object(() => ({ name: z.string(), type: z.string().nullish() })).meta({
  id: 'ResultColumn',
})
export type ResultColumn = z.output<typeof ResultColumn>

/** Export formats of rows, with their media types. */
export const ROW_EXPORTS = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const

export const ExportFormat = z.enum(['csv', 'jsonl', 'parquet'])
export type ExportFormat = z.output<typeof ExportFormat>

/** Whether a CSV cell that a spreadsheet would run as a formula is marked as text or left as stored. */
export const CsvFormulas = z.enum(['text', 'raw'])
export type CsvFormulas = z.output<typeof CsvFormulas>

export const FILTER_OPERATORS = ['contains', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'null', 'not-null'] as const
