import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ById, Done, Id, ifGiven, listOf, orDone } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, ONE_FIELD_SCHEMA } from '#text.ts'
import { InstrumentName } from './instruments.ts'

export const SIDES = ['BUY', 'SELL'] as const
export const ORDER_TYPES = ['MARKET', 'LIMIT', 'STOP'] as const
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const
export const ORDER_STATUSES = ['PENDING', 'FILLED', 'CANCELLED', 'REJECTED'] as const

/** Why an order was denied or rejected; a bare sentence is accepted too. */
export const OrderReason = z
  .preprocess(
    (
      reason:
        | { code?: string | undefined; sentence: string; numbers?: Record<string, number> | undefined }
        | string,
    ) => (typeof reason === 'string' ? { sentence: reason } : reason),
    object(() => ({
      code: ifGiven(z.string()),
      sentence: z.string(),
      numbers: ifGiven(z.record(z.string(), z.number())).describe('The limit and the value that exceeded it'),
    })),
  )
  .meta({ id: 'OrderReason' })
export type OrderReason = z.output<typeof OrderReason>

/** Statuses are an open set: screens colour the four they know and show any other in blue. */
export const Order = object(() => ({
  id: Id,
  instrument: z.string(),
  side: z.string(),
  type: z.string(),
  quantity: z.number(),
  price: z.number().nullish(),
  filled_qty: z.number(),
  status: z.string().describe('PENDING, FILLED, CANCELLED, REJECTED; others are possible'),
  reason: ifGiven(OrderReason),
  strategy: ifGiven(z.string()).describe('MANUAL for manual orders'),
  strategy_name: ifGiven(z.string()).describe(
    'The name of that strategy, also of a deleted one; absent for manual orders',
  ),
  time_in_force: ifGiven(z.string()),
  reduce_only: ifGiven(z.boolean()),
  account: ifGiven(z.string()).describe("'paper' for an order of the paper account; absent for any other"),
  cancel_requested: ifGiven(z.boolean()).describe('A cancel that the venue has not confirmed'),
  pending_change: ifGiven(z.object({ quantity: z.number(), price: z.number().nullable() })).describe(
    'Requested terms that the venue has not confirmed; quantity and price are the terms in force',
  ),
  change_rejected: ifGiven(OrderReason).describe('Why the venue refused the last change'),
  average_price: ifGiven(z.number().nullable()),
  fees: ifGiven(z.number()),
  created_at: ifGiven(z.string()),
  updated_at: ifGiven(z.string()),
})).meta({ id: 'Order' })
export type Order = z.output<typeof Order>

export const NewOrder = strictObject(() => ({
  instrument: InstrumentName,
  side: z.enum(SIDES),
  type: z.enum(ORDER_TYPES),
  quantity: z.number(),
  price: z
    .number()
    .nullish()
    .describe(
      'Required for LIMIT and STOP, ignored for MARKET. A sell stop must be below the bid, a buy stop above the ask',
    ),
  time_in_force: z.enum(TIMES_IN_FORCE).optional(),
  reduce_only: z.boolean().optional(),
})).meta({ id: 'NewOrder' })
export type NewOrder = z.output<typeof NewOrder>

/** A change of a working order; omitted fields stay unchanged. */
export const OrderChange = strictObject(() => ({
  quantity: z.number().optional(),
  price: z.number().optional(),
}))
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'OrderChange', ...ONE_FIELD_SCHEMA })

/** What would happen to a part of an order. */
const PreviewPart = object(() => ({
  quantity: z.number(),
  price: z.number().nullable().describe('The average price; null for nothing'),
  cost: z.number().describe('Price × quantity, before the fee'),
  fee: z.number(),
}))

const LimitUse = object(() => ({
  before: z.number().describe('Used now'),
  after: z.number().describe('Used with the order'),
  limit: z.number(),
}))

/** An order as the risk gate and its venue see it now: exact while the market does not move. Nothing is placed. */
export const OrderPreview = object(() => ({
  denied: ifGiven(OrderReason).describe('Why it would be denied; absent when it would be sent to its venue'),
  quote: z
    .object({ bid: z.number(), ask: z.number(), spread: z.number(), at: z.string() })
    .nullable()
    .describe('Null before the first quote'),
  fill: PreviewPart.nullable().describe('What would fill at once; null when the venue cannot say'),
  rest: PreviewPart.describe('What would then wait at the venue, and its fee if it fills there'),
  cancelled: z.number().describe('What its time in force would cancel'),
  made_reduce_only: z
    .boolean()
    .describe('It is above max_order_size and reduces, so it would be made reduce-only'),
  position: z
    .object({ before: z.number(), after: z.number() })
    .describe('The position in the instrument, below zero when short; after what would fill at once'),
  margin: z.object({ before: z.number(), after: z.number(), available_after: z.number() }),
  limits: z
    .object({
      max_order_size: LimitUse,
      max_position_size: LimitUse,
      max_daily_loss: LimitUse,
      max_positions: LimitUse,
      margin: LimitUse,
    })
    .describe('Use of every limit, working orders included; equity limits margin'),
})).meta({ id: 'OrderPreview' })
export type OrderPreview = z.output<typeof OrderPreview>

export const OrderIntent = z.union([
  object(() => ({ type: z.literal('target'), position: z.number() })),
  object(() => ({
    type: z.literal('place'),
    side: z.string(),
    quantity: z.number(),
    price: z.number().nullable(),
  })),
  object(() => ({ type: z.literal('exit'), exit: z.enum(['stop-loss', 'take-profit']), price: z.number() })),
])

/** What an order was decided by when it was placed. */
const OrderBasis = object(() => ({
  effect: z.enum(['adds', 'reduces', 'closes']).describe('Limits are checked only for an order that adds'),
  quote: z.object({ bid: z.number(), ask: z.number(), age_ms: z.number() }).nullable(),
  checks: z
    .array(z.object({ check: z.string(), value: z.number(), limit: z.number() }))
    .describe('Each risk check with the number it compared'),
  intent: ifGiven(OrderIntent).describe(
    'What the strategy wanted, or the exit price of the position that was reached; absent for manual orders',
  ),
  signal: ifGiven(z.record(z.string(), z.number())).describe(
    "The strategy's figures at that moment; absent when it states none",
  ),
}))

const OrderStep = object(() => ({
  at: z.string(),
  journal_seq: z.number(),
  event: z.string().describe('submitted, denied, accepted, filled, …'),
  by: z.string().nullable().describe('Who requested it; null for what followed by itself'),
  quantity: ifGiven(z.number()),
  price: ifGiven(z.number().nullable()),
  fee: ifGiven(z.number()),
  liquidity: ifGiven(z.string()),
  realized_pnl: ifGiven(z.number()).describe('Of a fill, before fees'),
  sentence: ifGiven(z.string()).describe('Why it was denied, rejected or cancelled'),
}))

/** Why an order was placed, and what became of it. */
export const OrderDetail = object(() => ({
  order: Order,
  basis: OrderBasis.nullable().describe('Null for an order of an older version, which did not record it'),
  steps: z.array(OrderStep).describe('Oldest first'),
  is_complete: z.boolean().describe('False when its life is too long to be read in full'),
})).meta({ id: 'OrderDetail' })
export type OrderDetail = z.output<typeof OrderDetail>

/** The orders or positions that a bulk command acts on; all if empty. */
export const RowScope = strictObject(() => ({
  instrument: InstrumentName.optional(),
  strategy: z.string().min(1).max(100).optional(),
})).meta({ id: 'RowScope' })
export type RowScope = z.output<typeof RowScope>

/** The result of a bulk command for each order or position. */
export const RowOutcomes = object(() => ({
  message: z.string().describe('What was done, in a sentence with numbers'),
  rows: z.array(
    z.object({
      id: Id,
      instrument: z.string(),
      outcome: z
        .enum(['done', 'requested', 'refused'])
        .describe('requested: its venue has not confirmed yet; refused: it was not done'),
      message: z.string(),
    }),
  ),
})).meta({ id: 'RowOutcomes' })
export type RowOutcomes = z.output<typeof RowOutcomes>

export const orders = {
  list: tradingEndpoint('GET /api/orders', {
    summary: 'Orders, newest first; by default all open ones and the latest 500 finished ones',
    role: 'viewer',
    query: strictObject(() => ({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      status: z.enum(ORDER_STATUSES).optional(),
      cursor: z
        .string()
        .optional()
        .describe(
          'The next_cursor of the previous page, or with limit or status the id of its last order, with the same limit and status. Alone, it continues after the default list',
        ),
    })),
    reply: listOf('orders', Order, {
      ...AS_OF,
      next_cursor: ifGiven(z.string()).describe(
        'Where the list continues, for orders of any status; absent on the last page',
      ),
    }),
  }),
  get: tradingEndpoint('GET /api/orders/:id', {
    summary: 'One order, however old',
    role: 'viewer',
    origin: 'ours',
    params: ById,
    reply: Order,
  }),
  detail: tradingEndpoint('GET /api/orders/:id/detail', {
    summary: 'Why an order was placed or denied, and what became of it, from the journal',
    role: 'viewer',
    origin: { capability: 'order-detail' },
    params: ById,
    reply: OrderDetail,
  }),
  byKey: tradingEndpoint('GET /api/orders/by-key/:key', {
    summary:
      'The order that was placed with an idempotency key. 404: none was, unless its request is still under way',
    role: 'viewer',
    origin: 'ours',
    params: strictObject(() => ({ key: z.string().min(1) })),
    reply: Order,
  }),
  place: tradingEndpoint('POST /api/orders', {
    summary: 'Place an order',
    role: 'trader',
    status: 201,
    acceptsKey: true,
    body: NewOrder,
    reply: orDone(Order),
  }),
  preview: tradingEndpoint('POST /api/orders/preview', {
    summary: 'What an order would do now, by the checks that would decide it; nothing is placed',
    role: 'viewer',
    origin: { capability: 'order-preview' },
    body: NewOrder,
    reply: OrderPreview,
  }),
  modify: tradingEndpoint('PATCH /api/orders/:id', {
    summary: 'Change quantity or price of a pending order',
    role: 'trader',
    origin: 'ours',
    params: ById,
    body: OrderChange,
    reply: orDone(Order),
  }),
  cancel: tradingEndpoint('DELETE /api/orders/:id', {
    summary: 'Cancel a pending order: 200 when it is cancelled, 202 until its venue confirms',
    role: 'trader',
    alwaysOn: true,
    mayBeUnconfirmed: true,
    params: ById,
    reply: Done,
  }),
  cancelAll: tradingEndpoint('POST /api/orders/cancel-all', {
    summary: 'Cancel every working order in the scope; the reply says what became of each',
    role: 'trader',
    origin: { capability: 'order-control' },
    alwaysOn: true,
    body: RowScope,
    reply: RowOutcomes,
  }),
}
