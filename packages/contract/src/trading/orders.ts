import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Done, Id, ifGiven, listOf, orDone } from '#shared.ts'

export const SIDES = ['BUY', 'SELL'] as const
export const ORDER_TYPES = ['MARKET', 'LIMIT', 'STOP'] as const

/** Why an order was denied or rejected; a backend may tell it as a bare sentence. */
export const OrderReason = z
  .preprocess(
    (
      told:
        | { code?: string | undefined; sentence: string; numbers?: Record<string, number> | undefined }
        | string,
    ) => (typeof told === 'string' ? { sentence: told } : told),
    z.object({
      code: ifGiven(z.string()),
      sentence: z.string(),
      numbers: ifGiven(z.record(z.string(), z.number())).describe('The limit and the value that broke it'),
    }),
  )
  .meta({ id: 'OrderReason' })
export type OrderReason = z.output<typeof OrderReason>

/** Statuses are an open set: screens colour the four they know and show any other in blue. */
export const Order = z
  .object({
    id: Id,
    instrument: z.string(),
    side: z.string(),
    type: z.string(),
    quantity: z.number(),
    price: z.number().nullish(),
    filled_qty: z.number(),
    status: z.string().describe('PENDING, FILLED, CANCELLED, REJECTED; others are possible'),
    reason: ifGiven(OrderReason),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>

export const NewOrder = z
  .strictObject({
    instrument: z.string().min(1),
    side: z.enum(SIDES),
    type: z.enum(ORDER_TYPES),
    quantity: z.number(),
    price: z.number().describe('Sent for MARKET too, where it is ignored'),
  })
  .meta({ id: 'NewOrder' })
export type NewOrder = z.output<typeof NewOrder>

export const orders = {
  list: endpoint('GET /api/orders', {
    summary: 'Orders, newest first',
    role: 'viewer',
    reply: listOf('orders', Order),
  }),
  place: endpoint('POST /api/orders', {
    summary: 'Place an order',
    role: 'trader',
    status: 201,
    body: NewOrder,
    reply: orDone(Order),
  }),
  cancel: endpoint('DELETE /api/orders/:id', {
    summary: 'Cancel a pending order',
    role: 'trader',
    alwaysOn: true,
    params: ById,
    reply: Done,
  }),
}
