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
