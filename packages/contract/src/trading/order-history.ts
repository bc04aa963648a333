import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ifGiven, Timestamp } from '#shared.ts'
import { ORDER_STATUSES, Order } from './orders.ts'

/** The last comparison of the order history (finished orders, fills, closed positions, keys) with the journal. */
export const OrderHistoryCheck = object(() => ({
  state: z
    .enum(['unchecked', 'intact', 'repaired', 'failed'])
    .describe('repaired: rows differed from the journal and were written again'),
  is_running: z.boolean().describe('A check is under way'),
  checked_at: z.string().nullable(),
  journal_seq: z.number().nullable().describe('The journal entry up to which the history was compared'),
  orders: z.number().nullable().describe('Finished orders compared'),
  fills: z.number().nullable(),
  closed_positions: z.number().nullable(),
  keys: z.number().nullable().describe('Idempotency keys compared'),
  differences: z.number().nullable().describe('Rows that were missing, different or not in the journal'),
  duration_ms: z.number().nullable(),
  detail: z.string().optional().describe('Why the check failed'),
})).meta({ id: 'OrderHistoryCheck' })
export type OrderHistoryCheck = z.output<typeof OrderHistoryCheck>

/** Which orders of the history; all of them if empty. */
const HistoryFilter = strictObject(() => ({
  status: z.enum(ORDER_STATUSES).optional(),
  instrument: z.string().min(1).optional(),
  strategy: z
    .string()
    .min(1)
    .optional()
    .describe('An id, also of a deleted strategy; MANUAL for manual orders'),
  from: Timestamp.optional().describe('Placed at or after'),
  to: Timestamp.optional().describe('Placed before'),
}))
export type HistoryFilter = z.input<typeof HistoryFilter>

export const orderHistory = {
  list: tradingEndpoint('GET /api/order-history', {
    summary: 'Orders of all time that match, newest first, with the number of those that match by status',
    role: 'viewer',
    origin: { capability: 'order-history' },
    query: strictObject(() => ({
      ...HistoryFilter.shape,
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      cursor: z.string().optional().describe('The next_cursor of the previous page'),
    })),
    reply: object(() => ({
      ...AS_OF,
      orders: z.array(Order),
      counts: z
        .record(z.enum(ORDER_STATUSES), z.number())
        .describe('Of all orders that match, whatever their status'),
      next_cursor: ifGiven(z.string()).describe('Absent on the last page'),
    })),
  }),
  export: tradingEndpoint('GET /api/order-history/export', {
    summary: 'All orders that match, newest first, as CSV',
    role: 'viewer',
    origin: { capability: 'order-history' },
    produces: ['text/csv'],
    query: HistoryFilter,
    reply: z.string(),
  }),
  check: tradingEndpoint('GET /api/order-history/check', {
    summary: 'The last check of the order history against the journal; it runs every six hours',
    role: 'viewer',
    origin: 'ours',
    reply: OrderHistoryCheck,
  }),
  verify: tradingEndpoint('GET /api/order-history/verify', {
    summary:
      'Check the order history against the journal now and repair it. Answers after 20 s at the latest, then with is_running',
    role: 'admin',
    origin: 'ours',
    reply: OrderHistoryCheck,
  }),
}
