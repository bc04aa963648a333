import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ifGiven, listOf } from '#shared.ts'
import { DataSetName } from './data-sets.ts'
import { InstrumentName } from './instruments.ts'

const MARKET_DATA = { origin: { capability: 'market-data' } } as const

/** The lengths of a bar. 1-second bars reach back 24 hours, minutes and longer ones as far as the catalog. */
export const CHART_INTERVALS = ['1s', '5s', '15s', '1m', '5m', '15m', '1h', '4h', '1d'] as const
export type ChartInterval = (typeof CHART_INTERVALS)[number]

/** Limits of a reply. */
export const BARS_MAX = 5_000
export const TAPE_MAX = 100

export const MarketQuote = object(() => ({
  instrument: z.string(),
  venue: z.string(),
  bid: z.number(),
  ask: z.number(),
  at: z.string().describe('The time of the quote at its venue'),
  last: z.number().nullable().describe('The price of the latest trade; null before the first'),
  open_24h: z.number().nullable().describe('The price 24 hours ago, or the first one recorded since'),
  high_24h: z.number().nullable(),
  low_24h: z.number().nullable(),
  change_percent: z.number().nullable().describe('From open_24h to last, in percent'),
  volume_24h: z.number().nullable().describe('In the base currency'),
  spark: z
    .array(z.number())
    .describe('Closes of the last 24 hours, one per 15 minutes, oldest first; the last is the price now'),
})).meta({ id: 'MarketQuote' })
export type MarketQuote = z.output<typeof MarketQuote>

const PRICES = { open: z.number(), high: z.number(), low: z.number(), close: z.number() }

/** A bar of a reply that names its instrument and interval once. */
export const ChartBar = object(() => ({
  at: z.string().describe('Its start'),
  ...PRICES,
  volume: z.number().describe('In the base currency'),
})).meta({ id: 'ChartBar' })
export type ChartBar = z.output<typeof ChartBar>

/** A bar of the stream. The one under way is sent again as it grows; the same `at` replaces it. */
export const MarketBar = object(() => ({
  ...ChartBar.shape,
  instrument: z.string(),
  interval: z.string(),
})).meta({
  id: 'MarketBar',
})
export type MarketBar = z.output<typeof MarketBar>

export const MarketTrade = object(() => ({
  id: z.string().describe('Rises with each trade of the instrument; a trade is sent once'),
  instrument: z.string(),
  price: z.number(),
  quantity: z.number(),
  side: z.string().describe('The side that took liquidity: BUY or SELL'),
  at: z.string(),
})).meta({ id: 'MarketTrade' })
export type MarketTrade = z.output<typeof MarketTrade>

const BookLevel = object(() => ({ price: z.number(), quantity: z.number() })).meta({ id: 'BookLevel' })

export const MarketBook = object(() => ({
  instrument: z.string(),
  bids: z.array(BookLevel).describe('Best first, at most 20; own working orders included'),
  asks: z.array(BookLevel).describe('As bids'),
  at: z.string(),
})).meta({ id: 'MarketBook' })
export type MarketBook = z.output<typeof MarketBook>

const OneInstrument = strictObject(() => ({ instrument: InstrumentName }))

export const marketData = {
  quotes: tradingEndpoint('GET /api/market/quotes', {
    summary: 'The quote of every instrument, with its last 24 hours',
    role: 'viewer',
    ...MARKET_DATA,
    reply: listOf('quotes', MarketQuote),
  }),
  bars: tradingEndpoint('GET /api/market/bars', {
    summary: 'Bars before a time, oldest first: recorded ones, then live ones up to the bar under way',
    role: 'viewer',
    ...MARKET_DATA,
    query: strictObject(() => ({
      instrument: InstrumentName,
      interval: z.enum(CHART_INTERVALS),
      before: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('Only bars that start before it; default: up to now'),
      limit: z.coerce.number<number>().int().min(1).max(BARS_MAX).default(500),
      data_set: DataSetName.optional().describe('Bars of this data set instead of the market'),
    })),
    reply: listOf('bars', ChartBar, {
      instrument: z.string(),
      interval: z.string(),
      data_set: ifGiven(z.string()),
      more: z.boolean().describe('There are older bars'),
    }),
  }),
  book: tradingEndpoint('GET /api/market/book', {
    summary: 'The order book of an instrument',
    role: 'viewer',
    ...MARKET_DATA,
    query: OneInstrument,
    reply: MarketBook,
  }),
  trades: tradingEndpoint('GET /api/market/trades', {
    summary: `The latest ${TAPE_MAX} trades of an instrument, latest first`,
    role: 'viewer',
    ...MARKET_DATA,
    query: OneInstrument,
    reply: listOf('trades', MarketTrade),
  }),
}
