import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, Id, ifGiven, listOf } from '#shared.ts'

export const Fill = object(() => ({
  id: Id.describe('The order and the number of its fill: O-17/1'),
  order_id: Id,
  position_id: Id.describe('The position after the fill; a fill through zero closes one and opens the next'),
  strategy: z.string().describe('MANUAL for manual orders'),
  strategy_name: ifGiven(z.string()).describe(
    'The name of that strategy, also of a deleted one; absent for manual orders',
  ),
  instrument: z.string(),
  side: z.string().describe('BUY or SELL'),
  quantity: z.number(),
  price: z.number(),
  value: z.number().describe('Price × quantity'),
  fee: z.number(),
  realized_pnl: z.number().describe('Of the part that closed a position, before fees'),
  liquidity: z.string().describe('MAKER or TAKER'),
  at: z.string(),
  journal_seq: z.number().describe('The journal entry of the fill'),
})).meta({ id: 'Fill' })
export type Fill = z.output<typeof Fill>

/** The page of a list of records. */
export const RecordPage = strictObject(() => ({
  limit: z.coerce.number<number>().int().min(1).max(1000).default(500),
  cursor: z.coerce.number<number>().int().min(1).optional().describe('The next_cursor of the previous page'),
}))

export const NextCursor = ifGiven(z.number()).describe('Where the list continues; absent on the last page')

export const fills = {
  list: tradingEndpoint('GET /api/fills', {
    summary: 'Fills, latest first',
    role: 'viewer',
    origin: 'ours',
    query: strictObject(() => ({
      ...RecordPage.shape,
      order_id: z.string().min(1).optional().describe('Only the fills of this order'),
    })),
    reply: listOf('fills', Fill, { ...AS_OF, next_cursor: NextCursor }),
  }),
}
