import type { CsvFormulas, ExportFormat } from '@binnacle/contract'

/** STORE-26: CSV marks formulas as text unless they are wanted as stored. */
export const EXPORT_CHOICES = ['csv', 'csv-raw', 'jsonl', 'parquet'] as const
export type ExportChoice = (typeof EXPORT_CHOICES)[number]

export function exportOptions(choice: ExportChoice): { format: ExportFormat; formulas?: CsvFormulas } {
  return choice === 'csv-raw' ? { format: 'csv', formulas: 'raw' } : { format: choice }
}

/** CLIENT-21: longer than the server waits for rows; a Parquet file is completed before its first byte is sent. */
const ROWS_IDLE_MS = 2 * 60_000
const FILE_IDLE_MS = 60 * 60_000

export function idleTimeoutMs(choice: ExportChoice): number {
  return choice === 'parquet' ? FILE_IDLE_MS : ROWS_IDLE_MS
}
