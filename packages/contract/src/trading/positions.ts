import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Done, Id, listOf } from '#shared.ts'

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
