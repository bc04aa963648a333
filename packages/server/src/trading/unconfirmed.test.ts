import {
  createSimulatedVenue,
  idFrom,
  standardInstruments,
  type VenueReport,
  type VenueRequest,
} from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const instruments = standardInstruments()

/** A desk whose venue receives only what `passes` lets through. */
async function openWithVenue(passes: (request: VenueRequest, quote: (price: number) => void) => boolean) {
  const simulated = createSimulatedVenue({ instruments })
  const quote = (price: number) => {
    desk.accept(aQuote(instruments, { bid: price - 0.5, ask: price + 0.5, at: wallClock.now() }))
  }
  let report: (sent: VenueReport) => void = () => {}
  const desk = await openInMemoryDesk({
    venue: {
      send: (request, at) => {
        if (passes(request, quote)) simulated.send(request, at)
      },
      onReports: (deliver) => {
        report = (sent) => deliver([sent], wallClock.now())
        simulated.onReports(deliver)
      },
      observe: (input) => simulated.observe(input),
      estimate: (terms) => simulated.estimate(terms),
    },
  })
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007', warmStrategy: async () => '' })
  quote(50_000)
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const sent = Promise.resolve(app.inject({ method, url, ...(payload && { payload }) }))
    let isAnswered = false
    void sent.then(() => {
      isAnswered = true
    })
    // The server's patience with a silent venue passes without waiting for it.
    while (!isAnswered) {
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(50)
    }
    const reply = await sent
    return { status: reply.statusCode, body: reply.json() }
  }
  return { desk, quote, call, report: (sent: VenueReport) => report(sent) }
}

const LIMIT = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.1, price: 49_000 }

test('[CALL-49] [CALL-50] a cancel that its venue does not confirm is 202 and leaves the order PENDING', async () => {
  const { call } = await openWithVenue(({ type }) => type !== 'cancel')
  await call('POST', '/api/orders', LIMIT)
  expect(await call('DELETE', '/api/orders/O-1')).toEqual({
    status: 202,
    body: {
      message: 'Cancel requested. Order O-1 is working until its venue confirms the cancel.',
      confirmed: false,
    },
  })
  expect((await call('GET', '/api/orders')).body.orders).toMatchObject([
    { id: 'O-1', status: 'PENDING', cancel_requested: true },
  ])
})

test('[CALL-49] a cancel that a fill overtook is 409 with quantity and average price', async () => {
  const { call } = await openWithVenue(({ type }, quote) => {
    if (type === 'cancel') quote(48_000)
    return type !== 'cancel'
  })
  await call('POST', '/api/orders', LIMIT)
  const overtaken = await call('DELETE', '/api/orders/O-1')
  const [order] = (await call('GET', '/api/orders')).body.orders
  expect(order).toMatchObject({ status: 'FILLED', filled_qty: 0.1 })
  const refusal = {
    status: 409,
    body: {
      code: 'order.not-pending',
      detail: `Order O-1 was filled before it could be cancelled: 0.1 at ${order.average_price}.`,
    },
  }
  expect(overtaken).toMatchObject(refusal)
  expect(await call('DELETE', '/api/orders/O-1')).toMatchObject(refusal)
})

test('[CALL-49] a cancel that its venue confirms is 200', async () => {
  const { call } = await openWithVenue(() => true)
  await call('POST', '/api/orders', LIMIT)
  expect(await call('DELETE', '/api/orders/O-1')).toEqual({
    status: 200,
    body: { message: 'Order O-1 cancelled' },
  })
})

test('[CALL-56] a change is pending until its venue confirms, and a refusal stays on the order', async () => {
  let isSilent = true
  const { call, desk, report } = await openWithVenue(({ type }) => type !== 'change' || !isSilent)
  await call('POST', '/api/orders', LIMIT)
  const changed = await call('PATCH', '/api/orders/O-1', { price: 49_500, quantity: 0.15 })
  expect(changed.body).toMatchObject({
    status: 'PENDING',
    price: 49_000,
    quantity: 0.1,
    pending_change: { price: 49_500, quantity: 0.15 },
  })
  report({
    type: 'changeRejected',
    change: 1,
    orderId: idFrom('O-1'),
    reason: { code: 'venue.refused', message: 'too late' },
  })
  await desk.idle()
  const [refused] = (await call('GET', '/api/orders')).body.orders
  expect(refused).toMatchObject({
    price: 49_000,
    quantity: 0.1,
    change_rejected: { code: 'venue.refused', sentence: expect.stringContaining('too late') },
  })
  expect(refused).not.toHaveProperty('pending_change')
  isSilent = false
  await call('PATCH', '/api/orders/O-1', { price: 49_600 })
  const [confirmed] = (await call('GET', '/api/orders')).body.orders
  expect(confirmed).toMatchObject({ price: 49_600, quantity: 0.1 })
  expect(confirmed).not.toHaveProperty('change_rejected')
})

test('[CALL-56] a change that a fill overtook is refused by it', async () => {
  const { call } = await openWithVenue(({ type }, quote) => {
    if (type === 'change') quote(48_000)
    return type !== 'change'
  })
  await call('POST', '/api/orders', LIMIT)
  await call('PATCH', '/api/orders/O-1', { quantity: 0.15 })
  const [order] = (await call('GET', '/api/orders')).body.orders
  expect(order).toMatchObject({
    status: 'FILLED',
    filled_qty: 0.1,
    change_rejected: { sentence: 'The venue refused: the order ended before the change reached it.' },
  })
  expect(order).not.toHaveProperty('pending_change')
})

const MARKET = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.1 }

test('[CALL-51] a close that its venue does not confirm is 202 with what is open', async () => {
  let isSilent = false
  const { call } = await openWithVenue(() => !isSilent)
  await call('POST', '/api/orders', MARKET)
  const [{ id }] = (await call('GET', '/api/positions')).body.positions
  isSilent = true
  expect(await call('POST', `/api/positions/${id}/close`)).toEqual({
    status: 202,
    body: {
      message: `Close requested. Position ${id} is open with 0.1 BTCUSDT LONG until its venue confirms.`,
      confirmed: false,
    },
  })
})

test('[CALL-51] a close of a position that grew meanwhile is 409 with what is left', async () => {
  const { call } = await openWithVenue((request, quote) => {
    // The limit order below fills just before the closing order reaches the venue.
    if (request.type === 'submit' && request.order.terms.reduceOnly) quote(48_000)
    return true
  })
  await call('POST', '/api/orders', LIMIT)
  await call('POST', '/api/orders', MARKET)
  const [{ id }] = (await call('GET', '/api/positions')).body.positions
  expect(await call('POST', `/api/positions/${id}/close`)).toMatchObject({
    status: 409,
    body: {
      code: 'position.left',
      detail: `0.1 of position ${id} was closed; 0.1 BTCUSDT LONG is still open. Close it again to close the rest.`,
    },
  })
})

test('[CALL-52] a stop whose cancels are not confirmed is 202 with the number of orders', async () => {
  const { call, desk, quote } = await openWithVenue(({ type }) => type !== 'cancel')
  const quotes = { name: 'Quotes', type: 'market_making', description: '', config: { instrument: 'BTCUSDT' } }
  const { id } = (await call('POST', '/api/strategies', quotes)).body
  await call('POST', `/api/strategies/${id}/start`)
  quote(50_000)
  await desk.idle()
  const working = desk.views.strategy(id)?.workingOrders ?? 0
  expect(working).toBeGreaterThan(0)
  const stopped = await call('POST', `/api/strategies/${id}/stop`)
  expect(stopped).toMatchObject({
    status: 202,
    body: { message: expect.stringMatching(/^Quotes stopped\. Cancel requested for \d+ orders? that/) },
  })
})
