import { createSimulatedVenue, idFrom, type StrategyId, standardInstruments } from '@binnacle/engine'
import { anOpenDesk, anOrder, aQuote, createManualClock } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openOrderHistoryReader } from '#storage/orders/order-history.ts'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { openPersistentDesk } from '#trading/runtime/persistent-desk.ts'
import { addOrderHistoryRoutes } from './order-history.routes.ts'

const instruments = standardInstruments()
const PERPETUAL = 'BTCUSDT-PERP'

/** A desk with orders of two instruments, two owners and four statuses, one each minute. */
async function aHistory() {
  const paths = deskPaths()
  const clock = createManualClock()
  const venue = createSimulatedVenue({ instruments })
  const { desk, projection, close } = await openPersistentDesk({ paths, instruments, clock, venue })
  onTestFinished(close)
  await desk.submit(anOpenDesk())
  const orderHistory = openOrderHistoryReader(paths.ordersFile)
  onTestFinished(() => orderHistory.close())
  const quote = () => {
    for (const instrument of ['BTCUSDT', PERPETUAL])
      desk.accept(aQuote(instruments, { instrument, at: clock.now() }))
  }
  const place = async (order: Parameters<typeof anOrder>[0]) => {
    clock.advance(60_000)
    quote()
    await desk.submit(anOrder({ quantity: 0.01, ...order }))
    await desk.idle()
    quote()
    await desk.idle()
  }
  const strategy = idFrom<StrategyId>('S-1')
  await place({})
  await place({ instrument: PERPETUAL, side: 'SELL' })
  await place({ quantity: 9 })
  await place({ orderType: 'LIMIT', price: 40_000 })
  await place({ instrument: PERPETUAL, strategy })
  await place({ orderType: 'LIMIT', price: 40_000, timeInForce: 'IOC' })
  const app = createHttpApp({ logger: silentLog })
  addOrderHistoryRoutes(app, { views: desk.readViews(), orderHistory })
  projection.flush()
  const get = async (query: string) => {
    projection.flush()
    return app.inject(`/api/order-history${query}`)
  }
  const idsOf = async (query: string) =>
    ((await get(query)).json().orders as { id: string }[]).map(({ id }) => id)
  return { get, idsOf, clock }
}

test('[ORD-61] the history filters orders of all time by status, instrument, strategy and time, and counts them', async () => {
  const { get, idsOf, clock } = await aHistory()
  const all = (await get('')).json()
  expect(all.orders.map(({ id }: { id: string }) => id)).toEqual(['O-6', 'O-5', 'O-4', 'O-3', 'O-2', 'O-1'])
  expect(all.counts).toEqual({ PENDING: 1, FILLED: 3, CANCELLED: 1, REJECTED: 1 })
  expect(await idsOf('?status=FILLED')).toEqual(['O-5', 'O-2', 'O-1'])
  expect(await idsOf('?status=PENDING')).toEqual(['O-4'])
  expect(await idsOf(`?instrument=${PERPETUAL}`)).toEqual(['O-5', 'O-2'])
  expect(await idsOf(`?instrument=${PERPETUAL}&strategy=MANUAL`)).toEqual(['O-2'])
  expect(await idsOf('?strategy=S-1&status=FILLED')).toEqual(['O-5'])
  const minutesAgo = (count: number) => new Date(clock.now() - count * 60_000).toISOString()
  expect(await idsOf(`?from=${minutesAgo(3)}&to=${minutesAgo(1)}`)).toEqual(['O-4', 'O-3'])
  const counted = (await get(`?from=${minutesAgo(3)}&status=FILLED`)).json()
  expect(counted.counts).toEqual({ PENDING: 1, FILLED: 1, CANCELLED: 1, REJECTED: 1 })
  const first = (await get('?limit=4')).json()
  expect(first.next_cursor).toBe('O-3')
  const rest = (await get(`?limit=4&cursor=${first.next_cursor}`)).json()
  expect(rest.orders.map(({ id }: { id: string }) => id)).toEqual(['O-2', 'O-1'])
  expect(rest.next_cursor).toBeUndefined()
  expect((await get('?cursor=x')).statusCode).toBe(422)
})

test('[ORD-62] the export has every order that matches as CSV', async () => {
  const { get } = await aHistory()
  const reply = await get('/export?status=REJECTED')
  expect(reply.headers['content-disposition']).toContain('orders.csv')
  const [head, row, end] = reply.body.split('\r\n')
  expect(head).toContain('"id","created_at"')
  expect(row).toMatch(/^"O-3",.*"REJECTED","MANUAL","","The order is worth .*"$/)
  expect(end).toBe('')
  expect((await get('/export')).body.split('\r\n')).toHaveLength(8)
})
