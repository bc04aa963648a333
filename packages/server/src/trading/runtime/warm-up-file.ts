import { readFileSync } from 'node:fs'
import { type BarColumns, createColumns, INTERVAL_MS, INTERVALS, idFrom } from '@binnacle/engine'
import * as z from 'zod'
import { writeSoftState } from './soft-file.ts'

const COLUMNS = ['start', 'open', 'high', 'low', 'close', 'volume'] as const

const Column = z.array(z.number())
const StoredBars = z.array(
  z.object({
    instrument: z.string(),
    interval: z.enum(INTERVALS),
    columns: z.object({
      start: Column,
      open: Column,
      high: Column,
      low: Column,
      close: Column,
      volume: Column,
    }),
  }),
)

/** Bars are stale when the last one is older than this many intervals and than a minute. */
const FRESH_LENGTHS = 20
const FRESH_MS = 60_000

/**
 * The latest bars of running strategies, so that a restart does not start their warm-up again: the catalog has no bars
 * shorter than a minute. Soft state: without the file they warm up on the market.
 */
export function readWarmUpBars(file: string, now: number): BarColumns[] {
  try {
    return StoredBars.parse(JSON.parse(readFileSync(file, 'utf8')))
      .map(({ instrument, interval, columns }) => {
        const bars = createColumns(idFrom(instrument), interval, columns.start.length)
        for (const name of COLUMNS) bars[name].set(columns[name])
        return bars
      })
      .filter((bars) => isFresh(bars, now))
  } catch {
    return []
  }
}

export function writeWarmUpBars(file: string, all: readonly BarColumns[]): Promise<void> {
  const plain = all.map((bars) => ({
    instrument: bars.instrument,
    interval: bars.interval,
    columns: Object.fromEntries(COLUMNS.map((name) => [name, [...bars[name]]])),
  }))
  return writeSoftState(file, JSON.stringify(plain))
}

function isFresh(bars: BarColumns, now: number): boolean {
  const length = INTERVAL_MS[bars.interval]
  const end = (bars.start.at(-1) ?? 0) + length
  return now - end <= Math.max(FRESH_MS, FRESH_LENGTHS * length)
}
