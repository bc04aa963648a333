import { existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BarColumns,
  createColumns,
  INTERVALS,
  type Instant,
  type InstrumentId,
  type Instruments,
  type Interval,
  idFrom,
  instant,
} from '@binnacle/engine'
import { writeBarFile } from './bar-file.ts'
import { COLUMNS } from './columns.ts'
import { openDuck, quoteText } from './duck.ts'
import { monthsOf, rowsByMonth } from './month.ts'

export interface BarPeriod {
  instrument: InstrumentId
  interval: Interval
  /** The first instant wanted, and the first that is not. */
  from: Instant
  to: Instant
}

/** What the catalog has of one instrument in one interval. */
export interface CatalogEntry {
  readonly instrument: InstrumentId
  readonly interval: Interval
  /** The start of the first bar and of the last. */
  readonly from: Instant
  readonly to: Instant
  readonly rows: number
}

/** Recorded bars, one file per instrument, interval and month. */
export interface Catalog {
  /** Adds bars; one with the same start replaces the one that is there. Durable when it resolves. */
  writeBars(bars: BarColumns): Promise<void>
  /** Returns the bars that start within the period, oldest first. */
  readBars(period: BarPeriod): Promise<BarColumns>
  list(): Promise<CatalogEntry[]>
  close(): void
}

/** Opens the catalog in a folder, which is made when it is not there. */
export async function openCatalog(folder: string, instruments: Instruments): Promise<Catalog> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const duck = await openDuck({ folder })
  const fileOf = (instrument: string, interval: Interval, month: string) =>
    join(folder, 'bars', instrument, interval, `${month}.parquet`)

  async function writeBars(bars: BarColumns): Promise<void> {
    for (const { month, from, to } of rowsByMonth(bars.start)) {
      const file = fileOf(bars.instrument, bars.interval, month)
      const columns = COLUMNS.map((name) => bars[name].subarray(from, to))
      await writeBarFile(duck.connection, file, { columns, instrument: instruments.get(bars.instrument) })
    }
  }

  async function readBars({ instrument, interval, from, to }: BarPeriod): Promise<BarColumns> {
    const files = monthsOf(from, to)
      .map((month) => fileOf(instrument, interval, month))
      .filter((file) => existsSync(file))
    if (files.length === 0) return createColumns(instrument, interval, 0)
    const { tick, lot } = instruments.get(instrument)
    const read = await duck.connection.runAndReadAll(
      `SELECT epoch_ms(time)::DOUBLE, ${['open', 'high', 'low', 'close'].map((name) => counted(name, tick)).join()},
         ${counted('volume', lot)}
       FROM read_parquet([${files.map(quoteText).join()}])
       WHERE time >= $from::TIMESTAMPTZ AND time < $to::TIMESTAMPTZ ORDER BY time`,
      { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    )
    const bars = createColumns(instrument, interval, read.currentRowCount)
    const found = read.getColumns()
    // The query casts every column to DOUBLE.
    for (const [index, name] of COLUMNS.entries()) bars[name].set((found[index] ?? []) as number[])
    return bars
  }

  async function list(): Promise<CatalogEntry[]> {
    const entries: CatalogEntry[] = []
    for (const { id: instrument } of instruments.all) {
      for (const interval of INTERVALS) {
        const entry = await describe(instrument, interval)
        if (entry !== undefined) entries.push(entry)
      }
    }
    return entries
  }

  async function describe(instrument: InstrumentId, interval: Interval): Promise<CatalogEntry | undefined> {
    const files = globSync(fileOf(instrument, interval, '*'))
    if (files.length === 0) return undefined
    const read = await duck.connection.runAndReadAll(
      `SELECT epoch_ms(min(time))::DOUBLE, epoch_ms(max(time))::DOUBLE, count(*)::DOUBLE
       FROM read_parquet([${files.map(quoteText).join()}])`,
    )
    const [from, to, rows] = read.getRows()[0] ?? []
    if (from === null || to === null) return undefined
    return {
      instrument: idFrom(instrument),
      interval,
      from: instant(Number(from)),
      to: instant(Number(to)),
      rows: Number(rows),
    }
  }

  return { writeBars, readBars, list, close: () => duck.close() }
}

/** Whole ticks or lots of a decimal column: its nearest double is far nearer than half of one. */
function counted(column: string, step: { unitCount: number }): string {
  return `round(${column}::DOUBLE * 1e8 / ${step.unitCount})`
}
