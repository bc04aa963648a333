import type { Instruments } from '#market/instruments.ts'
import type { OpenDesk, PlaceOrder } from '#model/input.ts'
import { DEFAULT_LIMITS } from '#model/risk.ts'
import type { QuoteTick, Side, TradeTick } from '#model/tick.ts'
import { assert } from '#values/bug.ts'
import { type Instant, instantFromMs } from '#values/instant.ts'
import { parsePrice } from '#values/price.ts'
import { parseQuantity } from '#values/quantity.ts'
import type { Result } from '#values/result.ts'

/** 2026-01-05 12:00 UTC, a Monday: the start time of tests. */
export const START = instantFromMs(Date.UTC(2026, 0, 5, 12))

/** Returns the opening of a desk with 100,000 and the default limits. */
export function anOpenDesk(given: Partial<OpenDesk> = {}): OpenDesk {
  return {
    type: 'OpenDesk',
    cash: 100_000,
    limits: DEFAULT_LIMITS,
    venues: ['BINANCE', 'BYBIT', 'OKX'],
    ...given,
  }
}

/** Returns a market order to buy 0.1 BTCUSDT, with overrides. */
export function anOrder(given: Partial<PlaceOrder> = {}): PlaceOrder {
  return {
    type: 'PlaceOrder',
    instrument: 'BTCUSDT',
    side: 'BUY',
    orderType: 'MARKET',
    quantity: 0.1,
    ...given,
  }
}

export interface QuoteGiven {
  readonly instrument?: string
  readonly bid?: number
  readonly ask?: number
  /** In units of the base currency, on both sides. */
  readonly size?: number
  readonly at?: Instant
}

/** Returns a quote of BTCUSDT at 50,000 to 50,001 for 10 on each side, with overrides. */
export function aQuote(instruments: Instruments, given: QuoteGiven = {}): QuoteTick {
  const instrument = instruments.find(given.instrument ?? 'BTCUSDT')
  assert(instrument !== undefined, `no instrument ${given.instrument}`)
  const bid = given.bid ?? 50_000
  const size = must(parseQuantity(given.size ?? 10, instrument.lot))
  return {
    kind: 'tick',
    type: 'quote',
    at: given.at ?? START,
    instrument: instrument.id,
    bid: must(parsePrice(bid, instrument.tick)),
    ask: must(parsePrice(given.ask ?? bid + 1, instrument.tick)),
    bidSize: size,
    askSize: size,
  }
}

export interface TradeGiven {
  readonly instrument?: string
  readonly price: number
  readonly size?: number
  readonly aggressor?: Side
  readonly at?: Instant
}

/** Returns a trade of BTCUSDT between others. */
export function aTrade(instruments: Instruments, given: TradeGiven): TradeTick {
  const instrument = instruments.find(given.instrument ?? 'BTCUSDT')
  assert(instrument !== undefined, `no instrument ${given.instrument}`)
  return {
    kind: 'tick',
    type: 'trade',
    at: given.at ?? START,
    instrument: instrument.id,
    price: must(parsePrice(given.price, instrument.tick)),
    size: must(parseQuantity(given.size ?? 1, instrument.lot)),
    aggressor: given.aggressor ?? 'SELL',
  }
}

function must<Value>(result: Result<Value, unknown>): Value {
  assert(result.ok, `a builder was given nonsense: ${JSON.stringify(result)}`)
  return result.value
}
