import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { AS_OF, ById, Done, Id, ifGiven, listOf } from '#shared.ts'
import { NextCursor, RecordPage } from './fills.ts'
import { RowOutcomes, RowScope } from './orders.ts'

/** The strategy id of manual orders and positions. */
export const MANUAL_STRATEGY = 'MANUAL'

export const Position = object(() => ({
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
  stop_loss: ifGiven(z.number().nullable()).describe(
    'The engine closes it when the market reaches this price on the side of a loss; null for none',
  ),
  take_profit: ifGiven(z.number().nullable()).describe(
    'The engine closes it when the market reaches this price on the side of a gain; null for none',
  ),
  exit_obstacle: ifGiven(z.string().nullable()).describe(
    'Why it is still open although one of these prices is reached',
  ),
})).meta({ id: 'Position' })
export type Position = z.output<typeof Position>

export const ClosedPosition = object(() => ({
  id: Id,
  instrument: z.string(),
  side: z.string().describe('LONG or SHORT'),
  strategy: z.string().describe('MANUAL for manual positions'),
  strategy_name: ifGiven(z.string()).describe(
    'The name of that strategy, also of a deleted one; absent for manual positions',
  ),
  realized_pnl: z.number().describe('Before fees and funding'),
  fees: z.number(),
  funding: z.number().describe('Received while it was open; negative when paid'),
  result: z.number().describe('Realised P&L less fees, plus funding'),
  opened_at: z.string(),
  closed_at: z.string(),
  journal_seq: z.number().describe('The journal entry that closed it'),
})).meta({ id: 'ClosedPosition' })
export type ClosedPosition = z.output<typeof ClosedPosition>

export const positions = {
  list: tradingEndpoint('GET /api/positions', {
    summary: 'Open positions',
    role: 'viewer',
    reply: listOf('positions', Position, AS_OF),
  }),
  closed: tradingEndpoint('GET /api/positions/closed', {
    summary: 'Closed positions with their results, latest first',
    role: 'viewer',
    origin: 'ours',
    query: RecordPage,
    reply: listOf('positions', ClosedPosition, { ...AS_OF, next_cursor: NextCursor }),
  }),
  close: tradingEndpoint('POST /api/positions/:id/close', {
    summary: 'Close a position, or a quantity of it, with a market order',
    role: 'trader',
    alwaysOn: true,
    mayBeUnconfirmed: true,
    acceptsKey: true,
    params: ById,
    body: strictObject(() => ({ quantity: z.number().optional() })).optional(),
    reply: Done,
  }),
  changeExits: tradingEndpoint('PATCH /api/positions/:id/exits', {
    summary: 'Set, change or remove the stop-loss and the take-profit of a position; an omitted one stays',
    role: 'trader',
    origin: { capability: 'position-exits' },
    params: ById,
    body: strictObject(() => ({
      stop_loss: z.number().nullable().optional(),
      take_profit: z.number().nullable().optional(),
    })),
    reply: Done,
  }),
  closeAll: tradingEndpoint('POST /api/positions/close-all', {
    summary: 'Close every position in the scope with market orders; the reply says what became of each',
    role: 'trader',
    origin: { capability: 'order-control' },
    alwaysOn: true,
    acceptsKey: true,
    body: RowScope,
    reply: RowOutcomes,
  }),
}
