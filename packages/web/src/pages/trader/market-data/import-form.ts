import type { DATA_SET_INTERVALS, DataSetMapping, DataSetUpload } from '@binnacle/contract'

export const BAR_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const
export const TICK_COLUMNS = ['price', 'quantity'] as const
export type MappedColumn = (typeof BAR_COLUMNS)[number] | (typeof TICK_COLUMNS)[number]
export const TIME_UNITS = ['auto', 's', 'ms', 'us', 'ns', 'iso'] as const

/** The import as chosen; an empty column is not mapped. */
export interface ImportForm {
  name: string
  instrument: string
  kind: 'bars' | 'ticks'
  hasHeader: boolean
  time: string
  timeUnit: (typeof TIME_UNITS)[number]
  columns: Readonly<Record<MappedColumn, string>>
  /** Empty: the usual distance between bars. */
  interval: '' | (typeof DATA_SET_INTERVALS)[number]
  mode: 'create' | 'add'
}

/** MKT-51: begins with the server's guess. */
export function formOf(upload: DataSetUpload, instruments: readonly string[]): ImportForm {
  const { mapping } = upload
  const guessed = upload.instrument
  return {
    name: nameOf(upload.filename),
    instrument: instruments.find((id) => id === guessed) ?? instruments[0] ?? '',
    kind: mapping?.kind ?? 'bars',
    hasHeader: mapping?.has_header ?? true,
    time: mapping?.time ?? '',
    timeUnit: TIME_UNITS.find((unit) => unit === mapping?.time_unit) ?? 'auto',
    columns: {
      open: mapping?.open ?? '',
      high: mapping?.high ?? '',
      low: mapping?.low ?? '',
      close: mapping?.close ?? '',
      volume: mapping?.volume ?? '',
      price: mapping?.price ?? '',
      quantity: mapping?.quantity ?? '',
    },
    interval: '',
    mode: 'create',
  }
}

/** A name that the server accepts, after the file's. */
export function nameOf(filename: string): string {
  const words = filename.toLowerCase().replace(/\.(csv|parquet|gz)$/g, '')
  return (
    words
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[-_]+|-+$/g, '')
      .slice(0, 40) || 'imported'
  )
}

/** Without names in the first line, columns are counted. */
export function columnNames(
  { columns, mapping, sample }: DataSetUpload,
  hasHeader: boolean,
): readonly string[] {
  if (hasHeader === (mapping?.has_header ?? true)) return columns
  return hasHeader ? (sample[0] ?? columns) : columns.map((_, index) => `column${index}`)
}

/** Undefined while a column that is needed is not chosen. */
export function mappingOf(form: ImportForm): DataSetMapping | undefined {
  const { kind, hasHeader, time, timeUnit, columns, interval } = form
  const common = { has_header: hasHeader, time, time_unit: timeUnit }
  const { open, high, low, close, volume, price, quantity } = columns
  if (kind === 'ticks') {
    if ([time, price].includes('')) return undefined
    return { kind, ...common, price, ...(quantity !== '' && { quantity }) }
  }
  if ([time, open, high, low, close].includes('')) return undefined
  return {
    kind,
    ...common,
    open,
    high,
    low,
    close,
    ...(volume !== '' && { volume }),
    ...(interval !== '' && { interval }),
  }
}
