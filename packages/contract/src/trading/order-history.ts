import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'

/** The last comparison of the order history (finished orders, fills, closed positions, keys) with the journal. */
export const OrderHistoryCheck = z
  .object({
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
  })
  .meta({ id: 'OrderHistoryCheck' })
export type OrderHistoryCheck = z.output<typeof OrderHistoryCheck>

export const orderHistory = {
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
