import type { OrderId, PositionId } from '@binnacle/engine'
import { idFrom } from '@binnacle/engine'
import { expect } from 'vitest'
import type { NautilusDesk } from '#nautilus-desk.ts'
import type { NodeClient } from '#node-client.ts'
import { query } from './real-node.ts'

/** NautilusTrader's own reports, in its texts. */
interface Reports {
  readonly orders: readonly {
    client_order_id: string
    quantity: string
    filled_qty: string
    status: string
  }[]
  readonly fills: readonly {
    client_order_id: string
    last_px: string
    last_qty: string
    commission: string
  }[]
  readonly positions: readonly { position_id: string; side: string; quantity: string; realized_pnl: string }[]
  readonly accounts: readonly { total: string }[]
}

const STATUS: Readonly<Record<string, string>> = {
  FILLED: 'FILLED',
  CANCELED: 'CANCELLED',
  EXPIRED: 'CANCELLED',
  REJECTED: 'REJECTED',
  DENIED: 'REJECTED',
}

/** The console's orders, fills, positions and account are those of NautilusTrader's own reports. */
export async function expectReportedFigures(client: NodeClient, desk: NautilusDesk): Promise<void> {
  // Only tests ask for it; python/nautilus_bridge/commands/reports.py has the same columns.
  const reports = (await query(client, 'reports.get', {})) as unknown as Reports
  expect(reports.fills.length).toBeGreaterThan(0)
  for (const { client_order_id, quantity, filled_qty, status } of reports.orders) {
    expect(desk.views.order(idFrom<OrderId>(client_order_id))).toMatchObject({
      quantity: Number(quantity),
      filled: Number(filled_qty),
      status: STATUS[status] ?? 'PENDING',
    })
  }
  const ids = new Set(reports.orders.map(({ client_order_id }) => client_order_id))
  const fills = desk.orderHistory.fills({ limit: Number.MAX_SAFE_INTEGER }).rows
  const shown = fills
    .filter(({ orderId }) => ids.has(orderId))
    .map(({ orderId, price, quantity, fee }) => `${orderId} ${price} ${quantity} ${fee}`)
  const reported = reports.fills.map(
    ({ client_order_id, last_px, last_qty, commission }) =>
      `${client_order_id} ${Number(last_px)} ${Number(last_qty)} ${amountOf(commission)}`,
  )
  expect(shown.sort()).toEqual(reported.sort())
  const open = reports.positions.filter(({ side }) => side !== 'FLAT')
  expect(desk.views.positions().map(({ id }) => id)).toEqual(open.map(({ position_id }) => position_id))
  for (const { position_id, side, quantity, realized_pnl } of open) {
    const position = desk.views.positions().find(({ id }) => id === idFrom<PositionId>(position_id))
    expect(position).toMatchObject({ side, quantity: Number(quantity) })
    const { realised = 0, fees = 0 } = position ?? {}
    expect(realised - fees).toBeCloseTo(amountOf(realized_pnl), 8)
  }
  const total = reports.accounts.reduce((sum, account) => sum + amountOf(account.total), 0)
  expect(Number(desk.views.account().exact.cash)).toBeCloseTo(total, 8)
}

/** The number of a text such as '12.50 USDT'. */
function amountOf(text: string): number {
  return Number(text.split(' ')[0])
}
