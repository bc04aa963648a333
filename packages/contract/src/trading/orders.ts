import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Done, Id, ifGiven, listOf, orDone } from '#shared.ts'

export const SIDES = ['BUY', 'SELL'] as const
export const ORDER_TYPES = ['MARKET', 'LIMIT', 'STOP'] as const
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const
export const ORDER_STATUSES = ['PENDING', 'FILLED', 'CANCELLED', 'REJECTED'] as const

/** The header that makes a repeated POST the same command, across restarts too. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

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
    strategy: ifGiven(z.string()).describe('MANUAL for orders by hand'),
    time_in_force: ifGiven(z.string()),
    reduce_only: ifGiven(z.boolean()),
    average_price: ifGiven(z.number().nullable()),
    fees: ifGiven(z.number()),
    created_at: ifGiven(z.string()),
    updated_at: ifGiven(z.string()),
  })
  .meta({ id: 'Order' })
export type Order = z.output<typeof Order>

export const NewOrder = z
  .strictObject({
    instrument: z.string().min(1),
    side: z.enum(SIDES),
    type: z.enum(ORDER_TYPES),
    quantity: z.number(),
    price: z
      .number()
      .nullish()
      .describe(
        'Needed for LIMIT and STOP; the console sends it for MARKET too, where it is ignored. A stop to sell must be below the bid, one to buy above the ask',
      ),
    time_in_force: z.enum(TIMES_IN_FORCE).optional(),
    reduce_only: z.boolean().optional(),
  })
  .meta({ id: 'NewOrder' })
export type NewOrder = z.output<typeof NewOrder>

/** What a change of a working order sends; what is left out stays. */
export const OrderChange = z
  .strictObject({ quantity: z.number().optional(), price: z.number().optional() })
  .meta({ id: 'OrderChange' })

export const orders = {
  list: endpoint('GET /api/orders', {
    summary: 'Orders, newest first: all open ones and the latest 500 finished ones unless asked otherwise',
    role: 'viewer',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      status: z.enum(ORDER_STATUSES).optional(),
      cursor: z
        .string()
        .optional()
        .describe(
          'The next_cursor of the page before, or with limit or status the id of its last order; limit and status as there. Alone, it leaves out what the list without a query has',
        ),
    }),
    reply: listOf('orders', Order, {
      next_cursor: ifGiven(z.string()).describe(
        'Where orders of any status go on that are not listed here; absent when there are none',
      ),
    }),
  }),
  place: endpoint('POST /api/orders', {
    summary: 'Place an order',
    role: 'trader',
    status: 201,
    body: NewOrder,
    reply: orDone(Order),
  }),
  modify: endpoint('PATCH /api/orders/:id', {
    summary: 'Change quantity or price of a pending order',
    role: 'trader',
    origin: 'ours',
    params: ById,
    body: OrderChange,
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
