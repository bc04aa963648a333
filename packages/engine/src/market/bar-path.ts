import { INTERVAL_MS } from '#model/interval.ts'
import type { BarTick, QuoteTick, Side, TradeTick } from '#model/tick.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'
import type { BarColumns } from './history.ts'

/** Bars have no spread: the bid is this far below each price, the ask as far above. */
export interface BarReplayOptions {
  /** The minimum in ticks. */
  halfSpreadTicks: number
  /** The minimum as a share of the price, in basis points. */
  halfSpreadBps?: number
}

/**
 * A bar is played in quarters: open, then the low in a rising bar or the high in a falling one, the other extreme,
 * close.
 */
export const QUARTERS = 4
const CLOSE = QUARTERS - 1

/** Returns the quote at a quarter of a bar's plausible path. */
export function quoteOfBar(
  columns: BarColumns,
  row: number,
  quarter: number,
  options: BarReplayOptions,
): QuoteTick {
  const ticks = pathPrice(columns, row, quarter)
  const size = sizeOfQuarter(columns, row)
  const half = halfSpreadAt(ticks, options)
  const bid = priceFromTicks(Math.max(1, ticks - half))
  const ask = priceFromTicks(Math.max(bid + 1, ticks + half))
  const at = quarterAt(columns, row, quarter)
  return {
    kind: 'tick',
    type: 'quote',
    at,
    instrument: columns.instrument,
    bid,
    ask,
    bidSize: size,
    askSize: size,
  }
}

/**
 * Writes the ticks of one instrument's bars again and again into the same objects. The engine keeps no tick; a venue keeps
 * the latest quote until it has the next, so there are two that take turns.
 */
export class ReusedTicks {
  #quote: Writable<QuoteTick> | null = null
  #nextQuote: Writable<QuoteTick> | null = null
  #bar: Writable<BarTick> | null = null

  /** Returns the quote at a quarter of a bar's path; it is valid until the quote after the next. */
  quote(columns: BarColumns, row: number, quarter: number, options: BarReplayOptions): QuoteTick {
    const tick = this.#nextQuote
    this.#nextQuote = this.#quote
    if (tick === null) {
      this.#quote = quoteOfBar(columns, row, quarter, options)
      return this.#quote
    }
    const ticks = pathPrice(columns, row, quarter)
    const half = halfSpreadAt(ticks, options)
    tick.bid = priceFromTicks(Math.max(1, ticks - half))
    tick.ask = priceFromTicks(Math.max(tick.bid + 1, ticks + half))
    tick.bidSize = tick.askSize = sizeOfQuarter(columns, row)
    tick.at = quarterAt(columns, row, quarter)
    this.#quote = tick
    return tick
  }

  /** Returns the finished bar; it is valid until the next. */
  bar(columns: BarColumns, row: number): BarTick {
    const tick = this.#bar
    if (tick === null) {
      this.#bar = barTickOf(columns, row)
      return this.#bar
    }
    tick.at = barEndAt(columns, row)
    tick.open = priceFromTicks(columns.open[row] ?? 0)
    tick.high = priceFromTicks(columns.high[row] ?? 0)
    tick.low = priceFromTicks(columns.low[row] ?? 0)
    tick.close = priceFromTicks(columns.close[row] ?? 0)
    tick.volume = quantityFromLots(columns.volume[row] ?? 0)
    return tick
  }
}

type Writable<Tick> = { -readonly [Field in keyof Tick]: Tick[Field] }

/** Returns the trade at a quarter of a bar's path. */
export function tradeOfBar(columns: BarColumns, row: number, quarter: number): TradeTick {
  return {
    kind: 'tick',
    type: 'trade',
    at: quarterAt(columns, row, quarter),
    instrument: columns.instrument,
    price: priceFromTicks(pathPrice(columns, row, quarter)),
    size: sizeOfQuarter(columns, row),
    aggressor: aggressorOf(quarter),
  }
}

/** Returns the side of the trade at a quarter that takes. */
export function aggressorOf(quarter: number): Side {
  return quarter % 2 === 0 ? 'BUY' : 'SELL'
}

/** Returns the finished bar itself, stamped with its end. */
export function barTickOf(columns: BarColumns, row: number): BarTick {
  return {
    kind: 'tick',
    type: 'bar',
    at: barEndAt(columns, row),
    instrument: columns.instrument,
    interval: columns.interval,
    open: priceFromTicks(columns.open[row] ?? 0),
    high: priceFromTicks(columns.high[row] ?? 0),
    low: priceFromTicks(columns.low[row] ?? 0),
    close: priceFromTicks(columns.close[row] ?? 0),
    volume: quantityFromLots(columns.volume[row] ?? 0),
  }
}

/** Returns the end of a row's bar. */
export function barEndAt(columns: BarColumns, row: number): Instant {
  return instantFromMs((columns.start[row] ?? 0) + INTERVAL_MS[columns.interval])
}

/** Returns the bid at a price, in ticks. It never falls when the price rises, nor does the ask. */
export function bidAt(ticks: number, options: BarReplayOptions): number {
  return Math.max(1, ticks - halfSpreadAt(ticks, options))
}

/** Returns the ask at a price, in ticks. */
export function askAt(ticks: number, options: BarReplayOptions): number {
  const half = halfSpreadAt(ticks, options)
  return Math.max(Math.max(1, ticks - half) + 1, ticks + half)
}

/** Returns the sum of bid and ask at a price, in ticks: the spread is computed once. */
export function bothSidesAt(ticks: number, options: BarReplayOptions): number {
  const half = halfSpreadAt(ticks, options)
  const bid = Math.max(1, ticks - half)
  return bid + Math.max(bid + 1, ticks + half)
}

/** Returns half the spread around a price, in ticks. */
export function halfSpreadAt(
  ticks: number,
  { halfSpreadTicks, halfSpreadBps = 0 }: BarReplayOptions,
): number {
  return Math.max(halfSpreadTicks, Math.round((ticks * halfSpreadBps) / 10_000))
}

/** Returns the price at a quarter of a bar's path, in ticks. */
export function pathPrice(columns: BarColumns, row: number, quarter: number): number {
  if (quarter === 0) return columns.open[row] ?? 0
  if (quarter === CLOSE) return columns.close[row] ?? 0
  const isLowFirst = (columns.close[row] ?? 0) >= (columns.open[row] ?? 0)
  return ((quarter === 1) === isLowFirst ? columns.low[row] : columns.high[row]) ?? 0
}

function sizeOfQuarter(columns: BarColumns, row: number) {
  return quantityFromLots(Math.max(1, Math.round((columns.volume[row] ?? 0) / QUARTERS)))
}

/** Returns the time of a quarter of a bar's path. */
export function quarterAt(columns: BarColumns, row: number, quarter: number): Instant {
  const length = INTERVAL_MS[columns.interval]
  // The close is one millisecond before the bar's end.
  const offset = quarter === CLOSE ? length - 1 : Math.floor((length * quarter) / QUARTERS)
  return instantFromMs((columns.start[row] ?? 0) + offset)
}
