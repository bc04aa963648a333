import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  aggregateBars,
  type BarColumns,
  barStart,
  INTERVAL_MS,
  INTERVALS,
  type Instant,
  type InstrumentId,
  type Instruments,
  type Interval,
  instantFromMs,
  priceFromTicks,
} from '@binnacle/engine'
import { createLazyDuck } from '@binnacle/stores'
import { type BarCount, type BarPeriod, type CatalogEntry, createBarFiles } from './bar-files.ts'
import { dailyOf, joinParts, within, withLater } from './columns.ts'
import { type Minute, openMinuteTail } from './minute-tail.ts'

/** Recorded bars, one file per instrument, interval and month, and a tail of minutes. */
export interface Catalog {
  /** Adds bars; one with the same start replaces the one that is there. Durable when it resolves. */
  writeBars(bars: BarColumns): Promise<void>
  /** Returns the bars that start within the period, oldest first, up to the latest finished minute. */
  readBars(period: BarPeriod): Promise<BarColumns>
  /** Returns the minutes of a period as longer bars, with the start of the latest recorded minute. */
  readLonger(period: Omit<BarPeriod, 'interval'>, interval: Interval): Promise<RecordedPeriod>
  /** Returns the start of the latest minute of the running market that is not in the months' files yet. */
  lastMinuteOf(instrument: InstrumentId): number | undefined
  /** Takes minutes of the running market in. */
  record(minutes: readonly Minute[]): void
  /** Moves the minutes recorded into the files of their months; returns whether days became whole by it. */
  settle(): Promise<boolean>
  list(): Promise<CatalogEntry[]>
  /** Says how many bars a period has, without reading them. */
  count(period: BarPeriod): Promise<BarCount>
  /** Returns from when to when there are 1-minute bars of an instrument. */
  spanOf(instrument: InstrumentId): Promise<BarSpan | null>
  close(): void
}

/** What there is to read in a folder, for those who read it themselves. */
export interface RecordedBars extends Pick<Catalog, 'count' | 'spanOf'> {
  readonly folder: string
}

export interface RecordedPeriod {
  readonly bars: BarColumns
  /** The start of the latest minute of the running market; -1 when it has recorded none. */
  readonly lastMinute: number
}

interface BarSpan {
  /** The start of the first bar and of the last. */
  readonly from: number
  readonly to: number
  /** Fewer than fit between them while the server was down. */
  readonly bars: number
}

/** Opens the catalog in a folder, which is made when it is not there. */
export async function openCatalog(folder: string, instruments: Instruments): Promise<Catalog> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const duck = createLazyDuck({ folder })
  const files = createBarFiles(folder, duck.open, instruments)
  const tail = openMinuteTail(join(folder, 'minutes.csv'))

  /** Read before the files: minutes that move to the files meanwhile are then seen twice, and never missed. */
  function tailOf({
    instrument,
    interval,
  }: Pick<BarPeriod, 'instrument' | 'interval'>): BarColumns | undefined {
    return interval === '1m' ? tail.read().get(instrument) : undefined
  }

  async function readBars(period: BarPeriod): Promise<BarColumns> {
    const latest = tailOf(period)
    const stored = await files.read(period)
    return latest === undefined ? stored : withLater(stored, within(latest, period))
  }

  async function readLonger(
    period: Omit<BarPeriod, 'interval'>,
    interval: Interval,
  ): Promise<RecordedPeriod> {
    const minutes = { ...period, interval: '1m' } as const
    const latest = tailOf(minutes)
    // The tail has every minute since its first one, so that no minute counts twice.
    const to = instantFromMs(Math.min(period.to, latest?.start[0] ?? period.to))
    const stored = await files.readLonger(
      { ...minutes, to: instantFromMs(Math.max(period.from, to)) },
      interval,
    )
    const lastMinute = latest?.start.at(-1) ?? -1
    if (latest === undefined) return { bars: stored, lastMinute }
    const later = aggregateBars(within(latest, period), interval)
    return { bars: joinParts(stored, later), lastMinute }
  }

  async function count(period: BarPeriod): Promise<BarCount> {
    const latest = tailOf(period)
    const stored = await files.count(period)
    if (latest === undefined) return stored
    const later = within(latest, { from: Math.max(period.from, stored.lastStart + 1), to: period.to })
    if (later.length === 0) return stored
    return {
      rows: stored.rows + later.length,
      firstOpen: stored.rows > 0 ? stored.firstOpen : priceFromTicks(later.open[0] ?? 0),
      lastStart: later.start[later.length - 1] ?? 0,
    }
  }

  async function spanOf(instrument: InstrumentId): Promise<BarSpan | null> {
    const starts = tail.read().get(instrument)?.start ?? new Float64Array()
    const stored = await files.describe(instrument, '1m')
    const from = stored?.from ?? starts[0]
    const to = starts.at(-1) ?? stored?.to
    if (from === undefined || to === undefined) return null
    // A minute may be in both while it moves to the files.
    const later = starts.filter((start) => start > (stored?.to ?? -1))
    return { from, to, bars: (stored?.rows ?? 0) + later.length }
  }

  async function settle(): Promise<boolean> {
    const recorded = tail.read()
    let areDaysWhole = false
    for (const minutes of recorded.values()) {
      await files.write(minutes)
      for (const day of daysOver(minutes)) {
        await files.write(dailyOf(await files.read(dayPeriod(minutes.instrument, day))))
        areDaysWhole = true
      }
    }
    if (recorded.size > 0) tail.drop(recorded)
    return areDaysWhole
  }

  async function list(): Promise<CatalogEntry[]> {
    const entries: CatalogEntry[] = []
    for (const { id: instrument } of instruments.all) {
      for (const interval of INTERVALS) {
        const entry = await files.describe(instrument, interval)
        if (entry !== undefined) entries.push(entry)
      }
    }
    return entries
  }

  return {
    writeBars: files.write,
    readBars,
    readLonger,
    lastMinuteOf: (instrument) => tail.read().get(instrument)?.start.at(-1),
    record: tail.add,
    settle,
    list,
    count,
    spanOf,
    close: duck.close,
  }
}

/** Opens bars to read them, such as those of a data set: files without a running market. */
export async function openBars(
  folder: string,
  instruments: Instruments,
): Promise<Pick<Catalog, 'readBars' | 'close'>> {
  const duck = createLazyDuck({ folder })
  return { readBars: createBarFiles(folder, duck.open, instruments).read, close: duck.close }
}

/** The days that some minutes are of and that are over. */
function daysOver(minutes: BarColumns): Instant[] {
  const today = dayOf(Date.now())
  return [...new Set(Array.from(minutes.start, dayOf))].filter((day) => day < today)
}

function dayOf(ms: number): Instant {
  return barStart(instantFromMs(ms), '1d')
}

function dayPeriod(instrument: InstrumentId, day: Instant): BarPeriod {
  return { instrument, interval: '1m', from: day, to: instantFromMs(day + INTERVAL_MS['1d']) }
}
