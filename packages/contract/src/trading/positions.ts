import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { ById, Done, Id, ifGiven, listOf } from '#shared.ts'

/** The strategy id of manual orders and positions. */
export const MANUAL_STRATEGY = 'MANUAL'

export const Position = z
  .object({
    id: Id,
    instrument: z.string(),
    side: z.string().describe('LONG or SHORT'),
    quantity: z.number(),
    entry_price: z.number(),
    current_price: z.number(),
    unrealized_pnl: z.number(),
    realized_pnl: z.number(),
    strategy: ifGiven(z.string()).describe('The strategy that holds it; MANUAL for manual positions'),
    strategy_name: ifGiven(z.string()).describe('The name of that strategy; absent for manual positions'),
  })
  .meta({ id: 'Position' })
export type Position = z.output<typeof Position>

export const positions = {
  list: tradingEndpoint('GET /api/positions', {
    summary: 'Open positions',
    role: 'viewer',
    reply: listOf('positions', Position),
  }),
  close: tradingEndpoint('POST /api/positions/:id/close', {
    summary: 'Close a position with a market order',
    role: 'trader',
    alwaysOn: true,
    mayBeUnconfirmed: true,
    acceptsKey: true,
    params: ById,
    reply: Done,
  }),
}
