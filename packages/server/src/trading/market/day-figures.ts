import {
  aggregateBars,
  type BarColumns,
  type InstrumentId,
  instantFromMs,
  MS_PER_DAY,
} from '@binnacle/engine'
import type { Catalog } from '#trading/catalog/catalog.ts'
import { columnsOfBars, joinParts, within } from '#trading/catalog/columns.ts'
import type { Minute } from '#trading/catalog/minute-tail.ts'
import type { LiveMarket } from './live-market.ts'

/** The last 24 hours of every instrument in 15-minute bars: loaded once, then continued by finished minutes. */
export class DayFigures {
  readonly #catalog: Pick<Catalog, 'readLonger'>
  readonly #live: Pick<LiveMarket, 'minutesAfter'>
  readonly #instruments: readonly InstrumentId[]
  #bars = new Map<InstrumentId, BarColumns>()
  #loading: Promise<void> | undefined

  constructor(
    catalog: Pick<Catalog, 'readLonger'>,
    live: Pick<LiveMarket, 'minutesAfter'>,
    instruments: readonly InstrumentId[],
  ) {
    this.#catalog = catalog
    this.#live = live
    this.#instruments = instruments
  }

  /** Returns finished minutes of the last 24 hours as 15-minute bars. */
  async read(now: number): Promise<ReadonlyMap<InstrumentId, BarColumns>> {
    this.#loading ??= this.#load(now).catch((fault: unknown) => {
      this.#loading = undefined
      throw fault
    })
    await this.#loading
    return new Map(
      [...this.#bars].map(([id, bars]) => [id, within(bars, { from: now - MS_PER_DAY, to: now + 1 })]),
    )
  }

  add(minutes: readonly Minute[]): void {
    if (this.#loading === undefined) return
    for (const minute of minutes) {
      const bars = this.#bars.get(minute.instrument)
      // Not loaded yet: the load reads this minute, which was recorded before.
      if (bars === undefined) continue
      const part = aggregateBars(columnsOfBars(minute.instrument, '1m', [minute]), '15m')
      this.#bars.set(minute.instrument, trim(joinParts(bars, part)))
    }
  }

  /** Loads everything again at the next read, as after history was added. */
  reset(): void {
    this.#loading = undefined
  }

  async #load(now: number): Promise<void> {
    const period = { from: instantFromMs(now - MS_PER_DAY), to: instantFromMs(now + MS_PER_DAY) }
    this.#bars = new Map()
    for (const instrument of this.#instruments) {
      const { bars, lastMinute } = await this.#catalog.readLonger({ instrument, ...period }, '15m')
      const later = columnsOfBars(instrument, '1m', this.#live.minutesAfter(instrument, lastMinute))
      this.#bars.set(instrument, joinParts(bars, aggregateBars(later, '15m')))
    }
  }
}

function trim(bars: BarColumns): BarColumns {
  const last = bars.start.at(-1) ?? 0
  return within(bars, { from: last - MS_PER_DAY, to: Number.POSITIVE_INFINITY })
}
