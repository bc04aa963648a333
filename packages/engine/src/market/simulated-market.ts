import type { Instrument } from '#model/instrument.ts'
import type { MarketTick, QuoteTick, TradeTick } from '#model/tick.ts'
import type { Instant } from '#values/instant.ts'
import { nearestPrice, type Price, price } from '#values/price.ts'
import { type Quantity, quantity } from '#values/quantity.ts'
import type { Instruments } from './instruments.ts'
import { createPriceProcess, type MarketState } from './price-process.ts'
import type { Random } from './random.ts'
import { VENUE_CHARACTER } from './venue-character.ts'

export interface SimulatedMarket {
  /** Advances the market to the instant and passes on its quotes and trades, in the order of the instruments. */
  advance(to: Instant, onTick: (tick: MarketTick) => void): void
  state(): MarketState
}

export interface SimulatedMarketOptions {
  instruments: Instruments
  random: Random
  at: Instant
  /** The state to continue from. */
  state?: MarketState
}

/** Creates a market with simulated prices; the same seed and steps give the same ticks. */
export function createSimulatedMarket(options: SimulatedMarketOptions): SimulatedMarket {
  const { instruments } = options
  const chance = options.random.fork('orders')
  const process = createPriceProcess(instruments, options.random.fork('prices'), options.state)
  let now = options.at

  return {
    state: process.state,
    advance(to, onTick) {
      const seconds = (to - now) / 1000
      if (seconds <= 0) return
      now = to
      process.step(seconds)
      const excitement = process.excitement()
      instruments.all.forEach((instrument, index) => {
        const quote = quoteOf({ instrument, middle: process.middle(index), excitement, at: to }, chance)
        onTick(quote)
        const { tradesPerSecond } = VENUE_CHARACTER[instrument.venue]
        if (chance.uniform() < tradesPerSecond * excitement * seconds) onTick(tradeOf(quote, chance))
      })
    },
  }
}

/** Returns the spread as a fraction; it widens with volatility. */
function spreadOf(instrument: Instrument, excitement: number): number {
  return VENUE_CHARACTER[instrument.venue].spread * (0.4 + 0.6 * excitement)
}

interface Moment {
  readonly instrument: Instrument
  readonly middle: number
  readonly excitement: number
  readonly at: Instant
}

function quoteOf({ instrument, middle, excitement, at }: Moment, chance: Random): QuoteTick {
  const half = (middle * spreadOf(instrument, excitement)) / 2
  const bid = nearestPrice(middle - half, instrument.tick)
  const ask = price(Math.max(bid + 1, nearestPrice(middle + half, instrument.tick)))
  return {
    kind: 'tick',
    type: 'quote',
    at,
    instrument: instrument.id,
    bid,
    ask,
    bidSize: topSize(instrument, bid, excitement, chance),
    askSize: topSize(instrument, ask, excitement, chance),
  }
}

function topSize(instrument: Instrument, at: Price, excitement: number, chance: Random): Quantity {
  const { topValue } = VENUE_CHARACTER[instrument.venue]
  const perLot = (at * Number(instrument.tickLotValue)) / 1e8
  const usual = topValue / perLot / (0.5 + 0.5 * excitement)
  return quantity(Math.max(1, Math.round(usual * (0.3 + 1.4 * chance.uniform()))))
}

function tradeOf(quote: QuoteTick, chance: Random): TradeTick {
  const isBuy = chance.uniform() < 0.5
  const top = isBuy ? quote.askSize : quote.bidSize
  return {
    kind: 'tick',
    type: 'trade',
    at: quote.at,
    instrument: quote.instrument,
    price: isBuy ? quote.ask : quote.bid,
    size: quantity(Math.max(1, Math.round(top * 0.5 * chance.uniform() ** 2))),
    aggressor: isBuy ? 'BUY' : 'SELL',
  }
}
