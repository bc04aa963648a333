import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Done, Id, ifGiven, listOf } from '#shared.ts'

/** What orders and positions by hand name as their strategy. */
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
    strategy: ifGiven(z.string()).describe('The strategy that holds it; MANUAL for positions by hand'),
    strategy_name: ifGiven(z.string()).describe('What that strategy is called; absent by hand'),
  })
  .meta({ id: 'Position' })
export type Position = z.output<typeof Position>

export const positions = {
  list: endpoint('GET /api/positions', {
    summary: 'Open positions',
    role: 'viewer',
    reply: listOf('positions', Position),
  }),
  close: endpoint('POST /api/positions/:id/close', {
    summary: 'Close a position at the market',
    role: 'trader',
    alwaysOn: true,
    params: ById,
    reply: Done,
  }),
}
