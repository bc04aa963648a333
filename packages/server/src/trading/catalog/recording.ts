import { openDuck, quoteText } from '@binnacle/stores'

/** One row of a recorded file, every value as text, so that no digit is lost on the way. */
export interface RecordedRow {
  text(column: string): string
  /** Ends the reading with the file, the row and the reason. */
  refuse(reason: string): never
}

export interface Recording {
  readonly columns: readonly string[]
  readonly rows: readonly RecordedRow[]
}

/** A row, or a whole file, that cannot be played, with where and why. */
export class ReplayRefusal extends Error {
  override readonly name = 'ReplayRefusal'
}

/** Reads a whole file; its first row is line 2 of a CSV file, below the header, and row 1 of a Parquet file. */
export async function readRecording(file: string, isCsv: boolean): Promise<Recording> {
  const duck = await openDuck({ file })
  const source = isCsv
    ? `read_csv(${quoteText(file)}, header = true, all_varchar = true, delim = ',', auto_detect = true)`
    : `read_parquet(${quoteText(file)})`
  const read = await duck.connection
    .runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${source}`)
    .finally(() => duck.close())
  const columns = read.columnNames()
  const [place, first] = isCsv ? ['line', 2] : ['row', 1]
  const rows = read.getRows().map((values, index) => ({
    text: (column: string) => String(values[columns.indexOf(column)] ?? ''),
    refuse(reason: string): never {
      throw new ReplayRefusal(`${file}, ${place} ${index + Number(first)}: ${reason}.`)
    },
  }))
  return { columns, rows }
}
