import { assert } from '#values/bug.ts'
import { UNITS_PER_ONE } from '#values/decimal.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { createIncrement, type Increment } from '#values/increment.ts'
import { type Money, moneyFromUnits, portion, portionUp, times } from '#values/money.ts'
import type { Price } from '#values/price.ts'
import { type NetQuantity, type Quantity, quantityFromLots } from '#values/quantity.ts'

export const VENUE_IDS = ['BINANCE', 'BYBIT', 'OKX', 'COINBASE', 'INTERACTIVE_BROKERS'] as const
export type VenueId = (typeof VENUE_IDS)[number]

/** A symbol without a venue means this one. */
export const PRIMARY_VENUE: VenueId = 'BINANCE'

export type InstrumentKind = 'SPOT' | 'PERPETUAL'
export type Liquidity = 'MAKER' | 'TAKER'

/** A tradable instrument with the venue's rules for it. */
export interface Instrument {
  readonly id: InstrumentId
  readonly symbol: string
  readonly venue: VenueId
  readonly kind: InstrumentKind
  readonly base: string
  readonly quote: string
  readonly tick: Increment
  readonly lot: Increment
  readonly minQuantity: Quantity
  /** Money per tick and lot, so that price × quantity × this is an exact value. */
  readonly tickLotValue: Money
  readonly makerFeePpm: number
  readonly takerFeePpm: number
  /** The share of a position's value that must be covered by equity. */
  readonly marginRatePpm: number
  /** How far past the mark a limit price may be, above it for a buy and below it for a sell. */
  readonly priceCollarPpm: number
}

export interface InstrumentTerms {
  base: string
  quote: string
  venue: VenueId
  kind: InstrumentKind
  tick: string
  lot: string
  maxPrice: string
  maxQuantity: string
  minLots: number
  makerFeePpm: number
  takerFeePpm: number
  marginRatePpm: number
  /** 5 % if left out. */
  priceCollarPpm?: number
}

const DEFAULT_PRICE_COLLAR_PPM = 50_000
const PARTS_PER_MILLION = 1_000_000

/** Creates an instrument; terms under which a value would need more than eight decimals are a bug. */
export function createInstrument(terms: InstrumentTerms): Instrument {
  const tick = createIncrement(terms.tick, terms.maxPrice)
  const lot = createIncrement(terms.lot, terms.maxQuantity)
  const product = tick.units * lot.units
  assert(product % UNITS_PER_ONE === 0n, `tick ${terms.tick} × lot ${terms.lot} is finer than 0.00000001`)
  const symbol = `${terms.base}${terms.quote}${terms.kind === 'PERPETUAL' ? '-PERP' : ''}`
  return Object.freeze({
    id: instrumentId(symbol, terms.venue),
    symbol,
    venue: terms.venue,
    kind: terms.kind,
    base: terms.base,
    quote: terms.quote,
    tick,
    lot,
    minQuantity: quantityFromLots(terms.minLots),
    tickLotValue: moneyFromUnits(product / UNITS_PER_ONE),
    makerFeePpm: terms.makerFeePpm,
    takerFeePpm: terms.takerFeePpm,
    marginRatePpm: terms.marginRatePpm,
    priceCollarPpm: terms.priceCollarPpm ?? DEFAULT_PRICE_COLLAR_PPM,
  })
}

/** Returns `BTCUSDT` on the primary venue and `BTCUSDT.BYBIT` on any other. */
function instrumentId(symbol: string, venue: VenueId): InstrumentId {
  return idFrom(venue === PRIMARY_VENUE ? symbol : `${symbol}.${venue}`)
}

/** Returns the exact value of a quantity at a price; a short quantity has a negative value. */
export function notionalOf(instrument: Instrument, at: Price, lots: Quantity | NetQuantity): Money {
  return times(times(instrument.tickLotValue, at), lots)
}

/** Returns the fee on a traded value, rounded up to the unit; a rebate is negative. */
export function feeOn(instrument: Instrument, notional: Money, liquidity: Liquidity): Money {
  const ppm = liquidity === 'MAKER' ? instrument.makerFeePpm : instrument.takerFeePpm
  return portionUp(notional, ppm, PARTS_PER_MILLION)
}

/** Returns the worst limit price that the collar allows around a mark; prices are in ticks and need not be whole. */
export function collarPrice(instrument: Instrument, side: 'BUY' | 'SELL', mark: number): number {
  const width = (mark * instrument.priceCollarPpm) / PARTS_PER_MILLION
  return side === 'BUY' ? mark + width : mark - width
}

/** Returns the margin that an exposure ties up. */
export function marginOn(instrument: Instrument, exposure: Money): Money {
  return portion(exposure, instrument.marginRatePpm, PARTS_PER_MILLION)
}
