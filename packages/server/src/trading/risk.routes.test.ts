import { beforeEach, expect, test } from 'vitest'
import { limit, market, openTradingApp, type TradingApp } from '#testkit/trading-app.ts'

let trading: TradingApp

beforeEach(async () => {
  trading = await openTradingApp()
})

test('[CALL-65] limits that somebody else changed are not overwritten by a save with their old version', async () => {
  const limits = { max_order_size: 1000, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  const url = '/api/risk/limits'
  const save = (ifMatch: string, max_positions: number) =>
    trading.app.inject({
      method: 'POST',
      url,
      headers: { 'if-match': ifMatch },
      payload: { ...limits, max_positions },
    })
  const etag = String((await trading.app.inject(url)).headers.etag)
  // Both saves are made for the same version; only one may win.
  const [first, second] = await Promise.all([save(etag, 2), save(etag, 3)])
  expect([first.statusCode, second.statusCode]).toEqual([200, 412])
  expect(second.json()).toMatchObject({ code: 'version.changed', title: 'It was changed in the meantime' })
  const current = await trading.app.inject(url)
  expect(current.json()).toMatchObject({ max_positions: 2 })
  expect(current.headers.etag).toBe(first.headers.etag)
  expect((await save(`"other", ${current.headers.etag}`, 4)).statusCode).toBe(200)
  expect((await save('*', 5)).statusCode).toBe(200)
  expect((await save(`W/${current.headers.etag}`, 6)).statusCode).toBe(412)
  expect((await trading.call('POST', url, limits)).status).toBe(200)
})

test('[CALL-38] limits are saved and bite at once', async () => {
  const limits = { max_order_size: 1000, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  expect(await trading.call('POST', '/api/risk/limits', limits)).toEqual({ status: 200, body: limits })
  expect((await trading.call('GET', '/api/risk/limits')).body).toEqual(limits)
  expect((await trading.call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'REJECTED' })
  expect((await trading.call('POST', '/api/risk/limits', { ...limits, max_positions: -1 })).status).toBe(422)
})

test('[RISK-23] a limit too large to be one is refused with what is wrong and what is allowed', async () => {
  const limits = { max_order_size: 1e308, max_position_size: 2000, max_daily_loss: 500, max_positions: 1 }
  const message = "Max Order Size cannot be '1e+308'; it must be less than 1e32."
  expect(await trading.call('POST', '/api/risk/limits', limits)).toMatchObject({
    status: 422,
    body: { code: 'request.invalid', detail: message, errors: [{ field: 'body.max_order_size', message }] },
  })
})

test('halted trading refuses orders, accepts cancels and resumes only on request', async () => {
  await trading.call('POST', '/api/orders', limit(40_000))
  await trading.settle()
  const halted = await trading.call('POST', '/api/trading-state', { state: 'HALTED', note: 'lunch' })
  expect(halted.body).toMatchObject({ state: 'HALTED', reason: 'Set by hand: lunch.' })
  expect((await trading.call('POST', '/api/orders', market(0.1))).body).toMatchObject({
    status: 'REJECTED',
    reason: { code: 'trading.halted' },
  })
  await trading.call('POST', '/api/trading-state', { state: 'ACTIVE' })
  expect((await trading.call('POST', '/api/orders', market(0.1))).body).toMatchObject({ status: 'FILLED' })
})

test('[RISK-23] a day that lost too much reduces trading, and says so in the words of the risk screen', async () => {
  const limits = { max_order_size: 10_000, max_position_size: 50_000, max_daily_loss: 50, max_positions: 10 }
  await trading.call('POST', '/api/risk/limits', limits)
  await trading.call('POST', '/api/orders', market(0.1))
  await trading.settle()
  trading.quote(49_000)
  await trading.settle()
  const { body } = await trading.call('GET', '/api/trading-state')
  expect(body.state).toBe('REDUCING')
  expect(body.reason).toMatch(/^Today's loss of 10\d\.\d\d reached the Max Daily Loss of 50\.00\.$/)
})
