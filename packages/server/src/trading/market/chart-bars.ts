import {
  aggregateBars,
  type BarColumns,
  createColumns,
  INTERVAL_MS,
  type InstrumentId,
  type Interval,
  instantFromMs,
} from '@binnacle/engine'
import type { Catalog } from '#trading/catalog/catalog.ts'
import { columnsOfBars, joinParts, latestOf, within } from '#trading/catalog/columns.ts'
import type { LiveMarket } from './live-market.ts'
import { RING_SECONDS } from './second-ring.ts'

export interface ChartQuery {
  instrument: InstrumentId
  interval: Interval
  /** Bars that start before this; none: up to the bar under way. */
  before?: number | undefined
  limit: number
}

export interface ChartPage {
  readonly bars: BarColumns
  /** There are older bars. */
  readonly more: boolean
}

/** Bars of any interval that start within a period; it may have no end. */
export interface ChartSource {
  /** The start of the first bar; null without bars. */
  begin(instrument: InstrumentId): Promise<number | null>
  read(query: { instrument: InstrumentId; interval: Interval; from: number; to: number }): Promise<BarColumns>
}

/** Each time the bars of a period do not suffice, because the market was not recorded, a longer one is read. */
const WIDEN = 4
/** The catalog reads the files of every month of a period. */
const FUTURE_MS = 86_400_000

/** Reads the latest bars before a time. */
export async function readChart(
  source: ChartSource,
  { instrument, interval, before = Number.POSITIVE_INFINITY, limit }: ChartQuery,
  now: number,
): Promise<ChartPage> {
  const length = INTERVAL_MS[interval]
  const begin = await source.begin(instrument)
  if (begin === null) return { bars: createColumns(instrument, interval, 0), more: false }
  const first = begin - (begin % length)
  const to = Math.ceil(before / length) * length
  const end = Math.min(to, now - (now % length) + length)
  for (let width = (limit + 1) * length; ; width *= WIDEN) {
    const from = Math.max(first, end - width)
    // Without an end the bars that begin during the read are included, so that they can be followed from then on.
    const bars = from < end ? await source.read({ instrument, interval, from, to }) : undefined
    if (bars === undefined) return { bars: createColumns(instrument, interval, 0), more: false }
    if (bars.length > limit || from === first) {
      return { bars: latestOf(bars, limit), more: bars.length > limit }
    }
  }
}

/** Recorded minutes, then those of the running market that are not recorded yet, then the one under way. */
export function createMinuteSource(
  catalog: Pick<Catalog, 'readLonger' | 'spanOf'>,
  live: LiveMarket,
  now: () => number,
): ChartSource {
  return {
    async begin(instrument) {
      const span = await catalog.spanOf(instrument)
      return (
        span?.from ??
        live.minutesAfter(instrument, -1)[0]?.start ??
        live.current(instrument, '1m')?.start ??
        null
      )
    },
    async read({ instrument, interval, from, to }) {
      const period = {
        instrument,
        from: instantFromMs(from),
        to: instantFromMs(Math.min(to, now() + FUTURE_MS)),
      }
      const { bars, lastMinute } = await catalog.readLonger(period, interval)
      // No await from here on: the minutes in memory continue exactly those that were just read.
      const current = live.current(instrument, '1m')
      const minutes = [...live.minutesAfter(instrument, lastMinute), ...(current === null ? [] : [current])]
      const later = within(columnsOfBars(instrument, '1m', minutes), { from, to })
      return joinParts(bars, aggregateBars(later, interval))
    },
  }
}

/** The seconds of the last 24 hours and the one under way. */
export function createSecondSource(live: LiveMarket, now: () => number): ChartSource {
  return {
    begin: async () => now() - RING_SECONDS * 1_000,
    async read({ instrument, interval, from, to }) {
      const current = live.current(instrument, '1s')
      // A restart within a second continues it, so that the ring has its first part too.
      const seconds = live.secondsOf(instrument, { from, to: Math.min(to, current?.start ?? now() + 1_000) })
      const last = within(columnsOfBars(instrument, '1s', current === null ? [] : [current]), { from, to })
      return aggregateBars(joinParts(seconds, last), interval)
    },
  }
}
