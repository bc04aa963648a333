import type { Instrument } from '#model/instrument.ts'
import type { MarketTick, QuoteTick, TradeTick } from '#model/tick.ts'
import type { Instant } from '#values/instant.ts'
import { moneyToNumber } from '#values/money.ts'
import { nearestPrice, type Price, priceFromTicks } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'
import type { Instruments } from './instruments.ts'
import { createPriceProcess, type MarketState } from './price-process.ts'
import type { Random } from './random.ts'
import { VENUE_PROFILES } from './venue-profile.ts'

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
  const random = options.random.fork('orders')
  const process = createPriceProcess(instruments, options.random.fork('prices'), options.state)
  let now = options.at

  return {
    state: process.state,
    advance(to, onTick) {
      const seconds = (to - now) / 1000
      if (seconds <= 0) return
      now = to
      process.step(seconds)
      const volatilityRatio = process.volatilityRatio()
      instruments.all.forEach((instrument, index) => {
        const quote = quoteOf(
          { instrument, midPrice: process.midPrice(index), volatilityRatio, at: to },
          random,
        )
        onTick(quote)
        const { tradesPerSecond } = VENUE_PROFILES[instrument.venue]
        if (random.uniform() < tradesPerSecond * volatilityRatio * seconds) onTick(tradeOf(quote, random))
      })
    },
  }
}

/** Returns the spread as a fraction; it widens with volatility. */
function spreadOf(instrument: Instrument, volatilityRatio: number): number {
  return VENUE_PROFILES[instrument.venue].spread * (0.4 + 0.6 * volatilityRatio)
}

interface QuoteInputs {
  readonly instrument: Instrument
  readonly midPrice: number
  readonly volatilityRatio: number
  readonly at: Instant
}

function quoteOf({ instrument, midPrice, volatilityRatio, at }: QuoteInputs, random: Random): QuoteTick {
  const half = (midPrice * spreadOf(instrument, volatilityRatio)) / 2
  const bid = nearestPrice(midPrice - half, instrument.tick)
  const ask = priceFromTicks(Math.max(bid + 1, nearestPrice(midPrice + half, instrument.tick)))
  return {
    kind: 'tick',
    type: 'quote',
    at,
    instrument: instrument.id,
    bid,
    ask,
    bidSize: topSize(instrument, bid, volatilityRatio, random),
    askSize: topSize(instrument, ask, volatilityRatio, random),
  }
}

function topSize(instrument: Instrument, at: Price, volatilityRatio: number, random: Random): Quantity {
  const { topValue } = VENUE_PROFILES[instrument.venue]
  const perLot = at * moneyToNumber(instrument.tickLotValue)
  const averageLots = topValue / perLot / (0.5 + 0.5 * volatilityRatio)
  return quantityFromLots(Math.max(1, Math.round(averageLots * (0.3 + 1.4 * random.uniform()))))
}

function tradeOf(quote: QuoteTick, random: Random): TradeTick {
  const isBuy = random.uniform() < 0.5
  const top = isBuy ? quote.askSize : quote.bidSize
  return {
    kind: 'tick',
    type: 'trade',
    at: quote.at,
    instrument: quote.instrument,
    price: isBuy ? quote.ask : quote.bid,
    size: quantityFromLots(Math.max(1, Math.round(top * 0.5 * random.uniform() ** 2))),
    aggressor: isBuy ? 'BUY' : 'SELL',
  }
}
