import * as z from 'zod'
import { isRecord } from '#shared.ts'

/**
 * A row by column name. From our server big integers and decimals are strings, times ISO 8601,
 * JSON is JSON, and a blob is a BlobPreview (CALL-29).
 */
export const Row = z
  // Not a record of zod's, which looks at every cell: ten thousand rows are looked at while others wait.
  .custom<Record<string, unknown>>(isRecord)
  .meta({ id: 'Row', type: 'object', additionalProperties: {} })
export type Row = z.output<typeof Row>

export const BlobPreview = z
  .object({ $blob: z.string().describe('The first KiB, in base64'), bytes: z.number() })
  .meta({ id: 'BlobPreview' })
export type BlobPreview = z.output<typeof BlobPreview>

/** The names and types that go with every set of rows from our server (CALL-30). */
export const ResultColumn = z
  .object({ name: z.string(), type: z.string().nullish() })
  .meta({ id: 'ResultColumn' })
export type ResultColumn = z.output<typeof ResultColumn>

/** What rows can be exported as, with the media type of each. */
export const ROW_EXPORTS = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const

export const ExportFormat = z.enum(['csv', 'jsonl', 'parquet'])
export type ExportFormat = z.output<typeof ExportFormat>
