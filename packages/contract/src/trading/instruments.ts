import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object } from '#object.ts'
import { ifGiven, listOf } from '#shared.ts'

/** The id of an instrument in a request. */
export const InstrumentName = z.string().min(1).max(40)

/** The specification shows no fields. Orders refer to the id; the rest is what the engine provides. */
export const Instrument = object(() => ({
  id: z.string().describe('BTCUSDT on the primary venue, BTCUSDT.BYBIT on a particular one'),
  symbol: ifGiven(z.string()),
  venue: ifGiven(z.string()),
  kind: ifGiven(z.string()).describe('spot or perpetual'),
  base_currency: ifGiven(z.string()),
  quote_currency: ifGiven(z.string()),
  tick_size: ifGiven(z.number()),
  lot_size: ifGiven(z.number()),
  min_quantity: ifGiven(z.number()),
  maker_fee: ifGiven(z.number()).describe('A fraction of the notional'),
  taker_fee: ifGiven(z.number()).describe('A fraction of the notional'),
  margin_rate: ifGiven(z.number()).describe('A fraction of the notional'),
})).meta({ id: 'Instrument' })
export type Instrument = z.output<typeof Instrument>

export const instruments = {
  list: tradingEndpoint('GET /api/instruments', {
    summary: 'Tradable instruments',
    role: 'viewer',
    reply: listOf('instruments', Instrument),
  }),
  nautilusList: tradingEndpoint('GET /api/nautilus/instruments', {
    summary: 'The same as /api/instruments',
    role: 'viewer',
    origin: 'documented',
    reply: listOf('instruments', Instrument),
  }),
}
