import { beforeEach, expect, test } from 'vitest'
import { market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[CALL-57] [CALL-62] the risk metrics and the account call have the account: equity, cash, capital, the day, fees and funding', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const { account } = (await trading.call('GET', '/api/risk/metrics')).body
  expect((await trading.call('GET', '/api/account')).body).toMatchObject(account)
  // Bought at 50,000.5 with a fee of 0.04 %, marked at 50,000.
  expect(account).toEqual({
    currency: 'USDT',
    equity: 99_997.94998,
    cash: 94_997.94998,
    starting_capital: 100_000,
    day_pnl: -2.05002,
    realized_pnl: 0,
    unrealized_pnl: -0.05,
    fees: 2.00002,
    funding: 0,
  })
})

test('[CALL-17] a close that is refused is no success, and says why', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const [{ id }] = (await trading.call('GET', '/api/positions')).body.positions
  await trading.call('POST', '/api/trading-state', { state: 'HALTED' })
  expect(await trading.call('POST', `/api/positions/${id}/close`)).toMatchObject({
    status: 409,
    body: {
      code: 'engine.refused',
      detail:
        'The position stays open. Trading is halted. To accept orders again, use Resume Trading or Reduce Only on the Risk Management screen.',
    },
  })
  expect((await trading.call('GET', '/api/positions')).body.positions).toHaveLength(1)
})

test('[POS-25] the exit prices of a position are set, listed, refused at their field and removed', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const [{ id, ...fresh }] = (await trading.call('GET', '/api/positions')).body.positions
  expect(fresh).toMatchObject({ stop_loss: null, take_profit: null, exit_obstacle: null })
  const url = `/api/positions/${id}/exits`
  expect(await trading.call('PATCH', url, { stop_loss: 49_000, take_profit: 52_000 })).toEqual({
    status: 200,
    body: { message: `Position ${id}: stop-loss at 49000, take-profit at 52000` },
  })
  const refused = await trading.call('PATCH', url, { stop_loss: 50_500 })
  const sentence =
    'Stop-loss: the price of a long position must be below the market; 50,500.00 was given, the bid is 49,999.50.'
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'request.invalid', errors: [{ field: 'body.stop_loss', message: sentence }] },
  })
  expect((await trading.call('PATCH', url, { take_profit: 50_500.001 })).body.errors).toEqual([
    {
      field: 'body.take_profit',
      message:
        'Take-profit: The price 50500.001 is not a multiple of the tick 0.01; the nearest are 50500 and 50500.01.',
    },
  ])
  expect((await trading.call('PATCH', url, { stop_loss: null })).body.message).toBe(
    `Position ${id}: take-profit at 52000`,
  )
  expect((await trading.call('PATCH', url, { take_profit: null })).body.message).toBe(
    `Position ${id} has no stop-loss and no take-profit`,
  )
  expect(await trading.call('PATCH', '/api/positions/P-99/exits', { stop_loss: 1 })).toMatchObject({
    status: 409,
    body: { code: 'position.not-open' },
  })
})

test('[POS-26] [ORD-69] the market reaches the stop-loss: the position is closed and its order says why', async () => {
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  const [{ id }] = (await trading.call('GET', '/api/positions')).body.positions
  await trading.call('PATCH', `/api/positions/${id}/exits`, { stop_loss: 49_000, take_profit: 52_000 })
  await trading.settle(48_900)
  expect((await trading.call('GET', '/api/positions')).body.positions).toEqual([])
  const [order] = (await trading.call('GET', '/api/orders')).body.orders
  expect(order).toMatchObject({ side: 'SELL', type: 'MARKET', status: 'FILLED', reduce_only: true })
  const detail = (await trading.call('GET', `/api/orders/${order.id}/detail`)).body
  expect(detail.basis).toMatchObject({
    effect: 'closes',
    intent: { type: 'exit', exit: 'stop-loss', price: 49_000 },
  })
})
