import type { VenueId } from '#model/instrument.ts'

interface VenueProfile {
  /** The venue's average premium over the common price, as a fraction. */
  readonly premium: number
  /** The volatility of that premium. */
  readonly premiumVolatility: number
  /** The spread at average volatility, as a fraction. */
  readonly spread: number
  /** The value at the best bid and ask at average volatility, in quote currency. */
  readonly topValue: number
  readonly tradesPerSecond: number
}

/** How the simulated venues differ: the small ones are wider, thinner and further off. */
export const VENUE_PROFILES: Record<VenueId, VenueProfile> = {
  BINANCE: { premium: 0, premiumVolatility: 0.00004, spread: 0.00006, topValue: 60_000, tradesPerSecond: 2 },
  BYBIT: {
    premium: 0.00004,
    premiumVolatility: 0.00006,
    spread: 0.00009,
    topValue: 40_000,
    tradesPerSecond: 1.2,
  },
  OKX: {
    premium: -0.00003,
    premiumVolatility: 0.00006,
    spread: 0.00009,
    topValue: 35_000,
    tradesPerSecond: 1,
  },
  COINBASE: {
    premium: 0.00008,
    premiumVolatility: 0.00009,
    spread: 0.00014,
    topValue: 25_000,
    tradesPerSecond: 0.8,
  },
  INTERACTIVE_BROKERS: {
    premium: 0.0001,
    premiumVolatility: 0.0001,
    spread: 0.0003,
    topValue: 15_000,
    tradesPerSecond: 0.2,
  },
}
