import { standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'

const instruments = standardInstruments()

async function openTestDesk() {
  const desk = await openInMemoryDesk()
  onTestFinished(() => desk.close())
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })
  const quote = () =>
    desk.accept(
      aQuote(instruments, { instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001, at: wallClock.now() }),
    )
  const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
    quote()
    const reply = await app.inject({ method, url, ...(body && { payload: body }) })
    for (let turn = 0; turn < 4; turn += 1) {
      quote()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await desk.idle()
    return { status: reply.statusCode, body: reply.json() }
  }
  return { desk, call }
}

const ORDER = { instrument: 'BTCUSDT-PERP', side: 'BUY', type: 'MARKET', quantity: 0.1, price: 0 }

test('[RISK-64] [RISK-112] says what closing everything would do, and closes everything', async () => {
  const { call } = await openTestDesk()
  await call('POST', '/api/orders', ORDER)
  await call('POST', '/api/orders', { ...ORDER, type: 'LIMIT', price: 49_000 })
  expect((await call('GET', '/api/emergency')).body).toMatchObject({
    is_active: false,
    started_at: null,
    outcome: null,
    venues: [{ venue: 'BINANCE', orders: 1, positions: 1, exposure: 5000.05, orders_at_start: 0 }],
    open: [{ instrument: 'BTCUSDT-PERP', strategy: 'MANUAL', quantity: 0.1, obstacle: null }],
  })
  const started = await call('POST', '/api/emergency', {})
  expect(started).toMatchObject({ status: 200, body: { started_at: expect.any(String) } })
  expect((await call('GET', '/api/emergency')).body).toMatchObject({
    is_active: false,
    outcome: 'flat',
    resumed_at: null,
    venues: [
      {
        venue: 'BINANCE',
        orders: 0,
        positions: 0,
        orders_at_start: 1,
        positions_at_start: 1,
        orders_left: 0,
        positions_left: 0,
      },
    ],
    open: [],
  })
  expect((await call('GET', '/api/trading-state')).body).toMatchObject({
    state: 'HALTED',
    reason: 'Set by the emergency control.',
  })
  await call('POST', '/api/trading-state', { state: 'ACTIVE' })
  expect((await call('GET', '/api/emergency')).body).toMatchObject({ resumed_at: expect.any(String) })
})

test('[RISK-64] resuming meanwhile is refused, and ending it leaves reduce-only', async () => {
  const { call, desk } = await openTestDesk()
  await call('POST', '/api/orders', ORDER)
  await desk.submit({ type: 'DisconnectVenue', venue: 'BINANCE' }, { by: 'server' })
  await call('POST', '/api/emergency', {})
  expect((await call('GET', '/api/emergency')).body).toMatchObject({
    is_active: true,
    open: [{ obstacle: expect.stringContaining('BINANCE') }],
  })
  expect(await call('POST', '/api/trading-state', { state: 'ACTIVE' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('emergency control is closing all positions') },
  })
  expect((await call('POST', '/api/emergency/end', {})).body).toMatchObject({
    is_active: false,
    outcome: 'ended',
  })
  expect((await call('GET', '/api/trading-state')).body).toMatchObject({ state: 'REDUCING' })
})
