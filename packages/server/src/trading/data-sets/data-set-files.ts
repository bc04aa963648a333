import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { DataSetGap } from '@binnacle/contract'
import {
  type BarColumns,
  INTERVAL_MS,
  type InstrumentId,
  type Instruments,
  type Interval,
  instantFromMs,
} from '@binnacle/engine'
import { createLazyDuck, quoteText } from '@binnacle/stores'
import { type BarCount, type BarPeriod, createBarFiles } from '#trading/catalog/bar-files.ts'

/** What a data set has of one instrument. */
export interface SetSummary {
  readonly bars: number
  /** The start of the first bar and of the last, in milliseconds. */
  readonly from: number
  readonly to: number
  readonly gaps: number
}

/** The files of all data sets: one folder each, laid out as the catalog. */
export interface DataSetFiles {
  write(set: string, bars: BarColumns): Promise<void>
  read(set: string, period: BarPeriod): Promise<BarColumns>
  readLonger(set: string, period: BarPeriod, interval: Interval): Promise<BarColumns>
  count(set: string, period: BarPeriod): Promise<BarCount>
  summary(set: string, instrument: InstrumentId, interval: Interval): Promise<SetSummary | null>
  gaps(set: string, instrument: InstrumentId, interval: Interval, limit: number): Promise<DataSetGap[]>
  close(): void
}

export async function openDataSetFiles(folder: string, instruments: Instruments): Promise<DataSetFiles> {
  const duck = createLazyDuck({ folder })
  const filesOf = (set: string) => createBarFiles(join(folder, set), duck.open, instruments)

  function distances(set: string, instrument: string, interval: Interval): string | null {
    const files = globSync(join(folder, set, 'bars', instrument, interval, '*.parquet'))
    if (files.length === 0) return null
    return `SELECT epoch_ms(time) AS start, lag(epoch_ms(time)) OVER (ORDER BY time) AS previous
      FROM read_parquet([${files.map(quoteText).join()}])`
  }

  return {
    write: (set, bars) => filesOf(set).write(bars),
    read: (set, period) => filesOf(set).read(period),
    readLonger: (set, period, interval) => filesOf(set).readLonger(period, interval),
    count: (set, period) => filesOf(set).count(period),
    async summary(set, instrument, interval) {
      const rows = distances(set, instrument, interval)
      if (rows === null) return null
      const length = INTERVAL_MS[interval]
      const { connection } = await duck.open()
      const found = await connection.runAndReadAll(
        `SELECT count(*)::DOUBLE, min(start)::DOUBLE, max(start)::DOUBLE,
           count(*) FILTER (start - previous > ${length})::DOUBLE FROM (${rows})`,
      )
      const [bars, from, to, gaps] = (found.getRows()[0] ?? []).map(Number)
      return bars ? { bars, from: from ?? 0, to: to ?? 0, gaps: gaps ?? 0 } : null
    },
    async gaps(set, instrument, interval, limit) {
      const rows = distances(set, instrument, interval)
      if (rows === null) return []
      const length = INTERVAL_MS[interval]
      const { connection } = await duck.open()
      const found = await connection.runAndReadAll(
        `SELECT (previous + ${length})::DOUBLE, start::DOUBLE FROM (${rows})
         WHERE start - previous > ${length} ORDER BY start LIMIT ${limit}`,
      )
      return found.getRows().map((row) => {
        const [from = 0, to = 0] = row.map(Number)
        return {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          missing: (to - from) / length,
        }
      })
    },
    close: duck.close,
  }
}

/** The whole time that a data set can have bars of. */
export function periodOf(instrument: InstrumentId, interval: Interval, summary: SetSummary): BarPeriod {
  return { instrument, interval, from: instantFromMs(summary.from), to: instantFromMs(summary.to + 1) }
}
