import type { Instrument } from '#model/instrument.ts'
import type { Interval } from '#model/interval.ts'
import type { InstrumentId } from '#values/ids.ts'
import { type Instant, instantFromMs, MS_PER_DAY } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { nearestPrice } from '#values/price.ts'
import type { Instruments } from './instruments.ts'
import { createPriceProcess, type MarketState, type PriceProcess } from './price-process.ts'
import type { Random } from './random.ts'
import { VENUE_PROFILES } from './venue-profile.ts'

/** Bars of one instrument as columns, in ticks and lots. */
export interface BarColumns {
  readonly instrument: InstrumentId
  readonly interval: Interval
  readonly length: number
  /** The first millisecond of each bar. */
  readonly start: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

export interface HistoryDay {
  readonly day: Instant
  readonly bars: readonly BarColumns[]
  /** The market at the end of the day, to continue from. */
  readonly state: MarketState
}

export interface HistoryOptions {
  instruments: Instruments
  random: Random
  /** 00:00 UTC of the first day. */
  from: Instant
  days: number
  /** How many minutes the last day has; all of them unless given. */
  lastMinutes?: number
  state?: MarketState
}

const MINUTES_PER_DAY = 1_440
const STEPS_PER_MINUTE = 4

/** Generates 1-minute bars day by day, so that the caller can store them and report progress in between. */
export function* generateHistory(options: HistoryOptions): Generator<HistoryDay> {
  const { instruments } = options
  const chance = options.random.fork('history')
  const process = createPriceProcess(instruments, options.random.fork('prices'), options.state)
  for (let number = 0; number < options.days; number++) {
    const day = instantFromMs(options.from + number * MS_PER_DAY)
    const isLast = number === options.days - 1
    const minutes = isLast ? (options.lastMinutes ?? MINUTES_PER_DAY) : MINUTES_PER_DAY
    const bars = instruments.all.map((instrument) => createColumns(instrument.id, '1m', minutes))
    for (let minute = 0; minute < minutes; minute++) {
      for (const columns of bars) columns.start[minute] = day + minute * 60_000
      writeMinute(process, instruments.all, bars, minute)
      const volatilityRatio = process.volatilityRatio()
      writeVolumes(minute, bars, instruments.all, () => volatilityRatio * (0.4 + 1.2 * chance.uniform()))
    }
    yield { day, bars, state: process.state() }
  }
}

/** Creates empty columns for a number of bars. */
export function createColumns(instrument: InstrumentId, interval: Interval, length: number): BarColumns {
  const column = () => new Float64Array(length)
  return {
    instrument,
    interval,
    length,
    start: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  }
}

function writeMinute(
  process: PriceProcess,
  instruments: readonly Instrument[],
  bars: readonly BarColumns[],
  minute: number,
): void {
  for (let index = 0; index < bars.length; index++)
    openBar(bars[index], minute, ticksAt(process, instruments, index))
  for (let step = 0; step < STEPS_PER_MINUTE; step++) {
    process.step(60 / STEPS_PER_MINUTE)
    for (let index = 0; index < bars.length; index++)
      moveBar(bars[index], minute, ticksAt(process, instruments, index))
  }
}

function ticksAt(process: PriceProcess, instruments: readonly Instrument[], index: number): number {
  const instrument = instruments[index]
  return instrument === undefined ? 0 : nearestPrice(process.midPrice(index), instrument.tick)
}

function openBar(bars: BarColumns | undefined, row: number, ticks: number): void {
  if (bars === undefined) return
  bars.open[row] = bars.high[row] = bars.low[row] = bars.close[row] = ticks
}

function moveBar(bars: BarColumns | undefined, row: number, ticks: number): void {
  if (bars === undefined) return
  bars.close[row] = ticks
  if (ticks > (bars.high[row] ?? 0)) bars.high[row] = ticks
  if (ticks < (bars.low[row] ?? 0)) bars.low[row] = ticks
}

function writeVolumes(
  minute: number,
  bars: readonly BarColumns[],
  instruments: readonly Instrument[],
  drawActivity: () => number,
): void {
  for (let index = 0; index < bars.length; index++) {
    const instrument = instruments[index]
    const columns = bars[index]
    if (instrument === undefined || columns === undefined) continue
    const { topValue, tradesPerSecond } = VENUE_PROFILES[instrument.venue]
    const perLot = (columns.close[minute] ?? 1) * moneyToNumber(instrument.tickLotValue)
    const averageLots = (topValue * tradesPerSecond * 10) / perLot
    columns.volume[minute] = Math.max(1, Math.round(averageLots * drawActivity()))
  }
}
