import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ifGiven, listOf } from '#shared.ts'

/** The specification shows no fields: the id is what an order names, the rest is what our engine tells. */
export const Instrument = z
  .object({
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
  })
  .meta({ id: 'Instrument' })
export type Instrument = z.output<typeof Instrument>

export const instruments = {
  list: endpoint('GET /api/instruments', {
    summary: 'What can be traded',
    role: 'viewer',
    reply: listOf('instruments', Instrument),
  }),
  nautilusList: endpoint('GET /api/nautilus/instruments', {
    summary: 'The same as /api/instruments',
    role: 'viewer',
    origin: 'documented',
    reply: listOf('instruments', Instrument),
  }),
}
