import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BarColumns,
  createColumns,
  INTERVAL_MS,
  type Instant,
  type InstrumentId,
  type Instruments,
  type Interval,
  idFrom,
  instantFromMs,
  type Price,
  priceFromTicks,
} from '@binnacle/engine'
import { type Duck, quoteText } from '@binnacle/stores'
import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api'
import { writeBarFile } from './bar-file.ts'
import { COLUMNS } from './columns.ts'
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

/** What a period has, without its bars. */
export interface BarCount {
  readonly rows: number
  /** The first bar's open in ticks, and when the last bar starts; meaningless without bars. */
  readonly firstOpen: Price
  readonly lastStart: number
}

/** The files of a catalog: each holds a month of one instrument in one interval. */
export interface BarFiles {
  write(bars: BarColumns): Promise<void>
  read(period: BarPeriod): Promise<BarColumns>
  /** Reads the bars of a period as longer ones; only these leave the database, however many are read. */
  readLonger(period: BarPeriod, interval: Interval): Promise<BarColumns>
  describe(instrument: InstrumentId, interval: Interval): Promise<CatalogEntry | undefined>
  count(period: BarPeriod): Promise<BarCount>
}

export function createBarFiles(
  folder: string,
  openDuck: () => Promise<Pick<Duck, 'connection' | 'withWriter'>>,
  instruments: Instruments,
): BarFiles {
  const fileOf = (instrument: string, interval: Interval, month: string) =>
    join(folder, 'bars', instrument, interval, `${month}.parquet`)

  async function write(bars: BarColumns): Promise<void> {
    const { withWriter } = await openDuck()
    for (const { month, from, to } of rowsByMonth(bars.start)) {
      const file = fileOf(bars.instrument, bars.interval, month)
      const columns = COLUMNS.map((name) => bars[name].subarray(from, to))
      const rows = { columns, instrument: instruments.get(bars.instrument) }
      await withWriter((writer) => writeBarFile(writer, file, rows))
    }
  }

  function filesOf({ instrument, interval, from, to }: BarPeriod): string[] {
    return monthsOf(from, to)
      .map((month) => fileOf(instrument, interval, month))
      .filter((file) => existsSync(file))
  }

  /**
   * MKT-110: a query over files, run again if one of them was replaced meanwhile. DuckDB opens a file several times for
   * one query, and would read the new one where the data of the old one began.
   */
  async function queryFiles(
    files: readonly string[],
    toSql: (source: string) => string,
    values?: Record<string, string>,
  ): Promise<DuckDBDataChunk[]> {
    const { connection } = await openDuck()
    const sql = toSql(`read_parquet([${files.map(quoteText).join()}])`)
    for (let attempt = 1; ; attempt++) {
      const before = versionsOf(files)
      try {
        const found = await (await connection.run(sql, values)).fetchAllChunks()
        if (versionsOf(files) === before) return found
      } catch (error) {
        if (versionsOf(files) === before) throw error
      }
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`the bars were replaced ${attempt} times while they were read`)
    }
  }

  async function count(period: BarPeriod): Promise<BarCount> {
    const files = filesOf(period)
    if (files.length === 0) return NO_BARS
    const { tick } = instruments.get(period.instrument)
    const found = await queryFiles(
      files,
      (source) =>
        `SELECT count(*)::DOUBLE, arg_min(${countSteps('open', tick)}, time), epoch_ms(max(time))::DOUBLE
         FROM ${source} WHERE ${IN_PERIOD}`,
      periodOf(period),
    )
    const [rows, firstOpen, lastStart] = found[0]?.getRows()[0] ?? []
    if (!rows) return NO_BARS
    return { rows: Number(rows), firstOpen: priceFromTicks(Number(firstOpen)), lastStart: Number(lastStart) }
  }

  async function read(period: BarPeriod): Promise<BarColumns> {
    const { tick, lot } = instruments.get(period.instrument)
    const prices = ['open', 'high', 'low', 'close'].map((name) => countSteps(name, tick))
    return query(period, period.interval, [
      `epoch_ms(time)::DOUBLE AS start, ${prices.join()}, ${countSteps('volume', lot)}`,
      'ORDER BY time',
    ])
  }

  async function readLonger(period: BarPeriod, interval: Interval): Promise<BarColumns> {
    const { tick, lot } = instruments.get(period.instrument)
    const length = INTERVAL_MS[interval]
    return query(period, interval, [
      `(epoch_ms(time) // ${length} * ${length})::DOUBLE AS start, arg_min(${countSteps('open', tick)}, time),
       max(${countSteps('high', tick)}), min(${countSteps('low', tick)}), arg_max(${countSteps('close', tick)}, time),
       sum(${countSteps('volume', lot)})`,
      'GROUP BY start ORDER BY start',
    ])
  }

  async function query(
    period: BarPeriod,
    interval: Interval,
    [columnList, order]: [string, string],
  ): Promise<BarColumns> {
    const { instrument } = period
    const files = filesOf(period)
    if (files.length === 0) return createColumns(instrument, interval, 0)
    const found = await queryFiles(
      files,
      (source) => `SELECT ${columnList} FROM ${source} WHERE ${IN_PERIOD} ${order}`,
      periodOf(period),
    )
    const length = found.reduce((sum, chunk) => sum + chunk.rowCount, 0)
    const bars = createColumns(instrument, interval, length)
    let before = 0
    for (const chunk of found) {
      for (const [index, name] of COLUMNS.entries()) {
        // The query casts every column to DOUBLE.
        copyItems(chunk.getColumnVector(index) as DuckDBVector<number>, bars[name], before)
      }
      before += chunk.rowCount
    }
    return bars
  }

  async function describe(instrument: InstrumentId, interval: Interval): Promise<CatalogEntry | undefined> {
    const files = globSync(fileOf(instrument, interval, '*'))
    if (files.length === 0) return undefined
    const found = await queryFiles(
      files,
      (source) =>
        `SELECT epoch_ms(min(time))::DOUBLE, epoch_ms(max(time))::DOUBLE, count(*)::DOUBLE FROM ${source}`,
    )
    const [from, to, rows] = found[0]?.getRows()[0] ?? []
    if (from === null || to === null) return undefined
    return {
      instrument: idFrom(instrument),
      interval,
      from: instantFromMs(Number(from)),
      to: instantFromMs(Number(to)),
      rows: Number(rows),
    }
  }

  return { write, read, readLonger, describe, count }
}

/** One by one: the library's own lists of values take six times as long. */
function copyItems(items: DuckDBVector<number>, into: Float64Array, from: number): void {
  for (let nth = 0; nth < items.itemCount; nth++) into[from + nth] = items.getItem(nth) ?? 0
}

/** A month's file is replaced about once a minute, and while history is imported a few times a second. */
const MAX_ATTEMPTS = 20

/** Changes when one of the files is replaced. */
function versionsOf(files: readonly string[]): string {
  return files
    .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
    .map((found) => `${found?.ino} ${found?.mtimeNs} ${found?.size}`)
    .join()
}

const NO_BARS: BarCount = { rows: 0, firstOpen: priceFromTicks(1), lastStart: -1 }
const IN_PERIOD = 'time >= $from::TIMESTAMPTZ AND time < $to::TIMESTAMPTZ'

function periodOf({ from, to }: BarPeriod): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** Whole ticks or lots of a decimal column: its nearest double is far nearer than half of one. */
function countSteps(column: string, step: { unitCount: number }): string {
  return `round(${column}::DOUBLE * 1e8 / ${step.unitCount})`
}
