import type { CsvFormulas, ExportFormat } from '@binnacle/contract'

/** STORE-26: CSV marks formulas as text unless they are wanted as stored. */
export const EXPORT_CHOICES = ['csv', 'csv-raw', 'jsonl', 'parquet'] as const
export type ExportChoice = (typeof EXPORT_CHOICES)[number]

export function exportOptions(choice: ExportChoice): { format: ExportFormat; formulas?: CsvFormulas } {
  return choice === 'csv-raw' ? { format: 'csv', formulas: 'raw' } : { format: choice }
}
