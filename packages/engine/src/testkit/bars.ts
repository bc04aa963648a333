import { type BarColumns, createColumns } from '#market/history.ts'
import { createRandom } from '#market/random.ts'
import { INTERVAL_MS, type Interval } from '#model/interval.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'

export interface WalkGiven {
  readonly instrument?: string
  readonly interval?: Interval
  readonly rows: number
  readonly seed: number
  readonly startAt?: number
  /** The first price in ticks, and the maximum move of a bar. */
  readonly ticks?: number
  readonly moveTicks?: number
  /** Added to each bar's move. */
  readonly driftTicks?: number
  /** The fraction of missing bars. */
  readonly gaps?: number
  readonly volume?: number
}

/** Generates a random walk of bars: closes move evenly up and down, extremes lie slightly beyond. */
export function walkBars(given: WalkGiven): BarColumns {
  const { instrument = 'BTCUSDT', interval = '1m', rows, seed, gaps = 0, volume = 400_000 } = given
  const { ticks: first = 5_000_000, moveTicks = 300, driftTicks = 0 } = given
  const random = createRandom(seed)
  const columns = createColumns(idFrom<InstrumentId>(instrument), interval, rows)
  const wanted = given.startAt ?? Date.UTC(2026, 0, 5)
  let start = wanted - (wanted % INTERVAL_MS[interval])
  let ticks = first
  const beyond = () => Math.floor((random.uniform() * moveTicks) / 3)
  for (let row = 0; row < rows; row++) {
    const open = ticks
    ticks = Math.max(2, Math.round(open + driftTicks + (random.uniform() * 2 - 1) * moveTicks))
    columns.start[row] = start
    columns.open[row] = open
    columns.close[row] = ticks
    columns.high[row] = Math.max(open, ticks) + beyond()
    columns.low[row] = Math.max(1, Math.min(open, ticks) - beyond())
    columns.volume[row] = volume
    start += INTERVAL_MS[interval]
    if (gaps > 0 && random.uniform() < gaps)
      start += INTERVAL_MS[interval] * Math.floor(random.uniform() * 2_000)
  }
  return columns
}
