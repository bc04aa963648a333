import type { ChartBar, MarketBar, MarketBook, MarketQuote, MarketTrade } from '@binnacle/contract'
import {
  type Bar,
  type BarColumns,
  type BookView,
  type Instrument,
  priceFromTicks,
  priceToNumber,
  type Quantity,
  type QuoteView,
  quantityToNumber,
} from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from './decimal.wire.ts'
import type { TrackedBar } from './market/bar-tracks.ts'
import type { TapeTrade } from './market/live-market.ts'

type BarValues = Pick<Bar, 'start' | 'open' | 'high' | 'low' | 'close' | 'volume'>

function chartBarToWire(bar: BarValues, { tick, lot }: Instrument): ChartBar {
  const priceOf = (ticks: number) => priceToNumber(priceFromTicks(ticks), tick)
  return {
    at: isoTime(bar.start),
    open: priceOf(bar.open),
    high: priceOf(bar.high),
    low: priceOf(bar.low),
    close: priceOf(bar.close),
    // Sums of lots are whole numbers, zero included.
    volume: quantityToNumber(bar.volume as Quantity, lot),
  }
}

export function barsToWire(bars: BarColumns, instrument: Instrument): ChartBar[] {
  return Array.from(bars.start, (start, row) =>
    chartBarToWire(
      {
        // Columns hold instants.
        start: start as Bar['start'],
        open: bars.open[row] ?? 0,
        high: bars.high[row] ?? 0,
        low: bars.low[row] ?? 0,
        close: bars.close[row] ?? 0,
        volume: bars.volume[row] ?? 0,
      },
      instrument,
    ),
  )
}

export function marketBarToWire(bar: TrackedBar, instrument: Instrument): MarketBar {
  return { ...chartBarToWire(bar, instrument), instrument: instrument.id, interval: bar.interval }
}

export function tradeToWire(trade: TapeTrade, { tick, lot }: Instrument): MarketTrade {
  return {
    id: String(trade.number),
    instrument: trade.instrument,
    price: priceToNumber(trade.price, tick),
    quantity: quantityToNumber(trade.size, lot),
    side: trade.aggressor,
    at: isoTime(trade.at),
  }
}

export function bookToWire({ instrument, bids, asks, at }: BookView): MarketBook {
  return { instrument, bids: [...bids], asks: [...asks], at: isoTime(at) }
}

export interface QuoteParts {
  quote: QuoteView
  instrument: Instrument
  /** The price of the latest trade, in ticks; null before the first. */
  last: number | null
  /** The last 24 hours in 15-minute bars. */
  day: BarColumns
}

export function marketQuoteToWire({ quote, instrument, last: latest, day }: QuoteParts): MarketQuote {
  const { tick, lot } = instrument
  const inDecimals = (ticks: number | null) =>
    ticks === null ? null : priceToNumber(priceFromTicks(ticks), tick)
  const last = latest ?? day.close.at(-1) ?? null
  const now = last === null ? [] : [last]
  const hasPrices = last !== null || day.length > 0
  const open = day.open[0] ?? last
  const volume = day.volume.reduce((sum, lots) => sum + lots, 0)
  return {
    instrument: quote.instrument,
    venue: instrument.venue,
    bid: quote.bid,
    ask: quote.ask,
    at: isoTime(quote.at),
    last: inDecimals(last),
    open_24h: inDecimals(open),
    high_24h: hasPrices ? inDecimals(Math.max(...day.high, ...now)) : null,
    low_24h: hasPrices ? inDecimals(Math.min(...day.low, ...now)) : null,
    change_percent: last === null || open === null ? null : decimalToWire((last / open - 1) * 100),
    // Sums of lots are whole numbers, zero included.
    volume_24h: hasPrices ? quantityToNumber(volume as Quantity, lot) : null,
    spark: sparkOf(day, last).map((ticks) => priceToNumber(priceFromTicks(ticks), tick)),
  }
}

/** The closes; the last one is the price now. */
function sparkOf({ close }: BarColumns, last: number | null): number[] {
  const closes = [...close]
  if (last === null) return closes
  return closes.length === 0 ? [last] : closes.with(-1, last)
}
