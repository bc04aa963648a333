/** What a server answers about an order of 0.1 at the market. */
export const PREVIEW = {
  quote: { bid: 49_999.5, ask: 50_000.5, spread: 1, at: '2026-01-05T12:00:00.000Z' },
  fill: { quantity: 0.1, price: 50_000.5, cost: 5_000.05, fee: 5.00005 },
  rest: { quantity: 0, price: null, cost: 0, fee: 0 },
  cancelled: 0,
  made_reduce_only: false,
  position: { before: 0, after: 0.1 },
  margin: { before: 0, after: 5_000, available_after: 94_994.95 },
  limits: {
    max_order_size: { before: 0, after: 5_000.05, limit: 10_000 },
    max_position_size: { before: 10_000, after: 15_000, limit: 50_000 },
    max_daily_loss: { before: 0, after: 5.05, limit: 5_000 },
    max_positions: { before: 1, after: 2, limit: 10 },
    margin: { before: 0, after: 5_000, limit: 99_994.95 },
  },
}
