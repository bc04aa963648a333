import { createSimulatedVenue, standardInstruments } from '@binnacle/engine'
import { anOpenDesk, anOrder, aQuote, createManualClock } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openOrderHistoryReader } from '#storage/orders/order-history.ts'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import type { DeskPaths } from '#trading/runtime/desk-protocol.ts'
import { openPersistentDesk } from '#trading/runtime/persistent-desk.ts'
import { addFillRoutes } from './fills.routes.ts'

const instruments = standardInstruments()

async function openTestApp(paths: DeskPaths) {
  const venue = createSimulatedVenue({ instruments })
  const opened = await openPersistentDesk({ paths, instruments, clock: createManualClock(), venue })
  const orderHistory = openOrderHistoryReader(paths.ordersFile)
  onTestFinished(() => orderHistory.close())
  const app = createHttpApp({ logger: silentLog })
  addFillRoutes(app, { views: opened.desk.readViews(), orderHistory })
  return {
    ...opened,
    async get(url: string) {
      await opened.desk.idle()
      opened.projection.flush()
      return (await app.inject(url)).json()
    },
  }
}

const PERPETUAL = 'BTCUSDT-PERP'

async function aDesk(paths: DeskPaths = deskPaths()) {
  const opened = await openTestApp(paths)
  const { desk } = opened
  await desk.submit(anOpenDesk())
  const trade = async (side: 'BUY' | 'SELL', quantity: number, bid: number) => {
    desk.accept(aQuote(instruments, { instrument: PERPETUAL, bid, ask: bid + 1 }))
    await desk.submit(anOrder({ instrument: PERPETUAL, side, quantity }))
    await desk.idle()
  }
  return { ...opened, paths, trade }
}

test('[CALL-61] fills have order, price, quantity, fee and time, latest first, and survive a restart', async () => {
  const { trade, get, close, paths, desk } = await aDesk()
  await trade('BUY', 0.1, 49_999)
  await trade('SELL', 0.04, 50_100)
  const both = await get('/api/fills')
  expect(both).toMatchObject({ journal_seq: desk.seq })
  expect(both.fills).toMatchObject([
    { id: 'O-2/1', order_id: 'O-2', side: 'SELL', quantity: 0.04, price: 50_100, realized_pnl: 4 },
    {
      id: 'O-1/1',
      order_id: 'O-1',
      position_id: 'P-1',
      strategy: 'MANUAL',
      side: 'BUY',
      quantity: 0.1,
      price: 50_000,
      value: 5000,
      fee: 1.5,
      realized_pnl: 0,
      liquidity: 'TAKER',
      at: new Date(createManualClock().now()).toISOString(),
      journal_seq: 3,
    },
  ])
  await close()
  const again = await openTestApp(paths)
  expect((await again.get('/api/fills')).fills).toEqual(both.fills)
})

test('[CALL-61] a page of fills goes on at its cursor, and one order has its own', async () => {
  const { trade, get } = await aDesk()
  for (let count = 0; count < 3; count++) await trade('BUY', 0.01, 50_000)
  const first = await get('/api/fills?limit=2')
  expect(idsOf(first.fills)).toEqual(['O-3/1', 'O-2/1'])
  const second = await get(`/api/fills?limit=2&cursor=${first.next_cursor}`)
  expect(idsOf(second.fills)).toEqual(['O-1/1'])
  expect(second).not.toHaveProperty('next_cursor')
  expect(await get('/api/fills?limit=3')).not.toHaveProperty('next_cursor')
  expect(idsOf((await get('/api/fills?order_id=O-2')).fills)).toEqual(['O-2/1'])
  expect((await get('/api/fills?order_id=nothing')).fills).toEqual([])
})

test('[POS-14] a closed position has its result, also one that a fill turned round, and their sum is the account', async () => {
  const { trade, get, desk, close, paths } = await aDesk()
  await trade('BUY', 0.1, 49_999)
  expect((await get('/api/positions/closed')).positions).toEqual([])
  // Closes the long with a gain of 10, then turns a short round with a loss of 5.
  await trade('SELL', 0.1, 50_100)
  await trade('SELL', 0.05, 50_000)
  await trade('BUY', 0.1, 50_099)
  const { positions } = await get('/api/positions/closed')
  expect(positions).toMatchObject([
    { id: 'P-2', side: 'SHORT', realized_pnl: -5, fees: 0.75, result: -5.75, journal_seq: desk.seq },
    { id: 'P-1', side: 'LONG', strategy: 'MANUAL', realized_pnl: 10, fees: 3.003, funding: 0, result: 6.997 },
  ])
  const { realised } = desk.readViews().account()
  expect(positions[0].realized_pnl + positions[1].realized_pnl).toBe(realised)
  await close()
  const again = await openTestApp(paths)
  expect((await again.get('/api/positions/closed')).positions).toEqual(positions)
})

test('[CALL-60] a list says how far it goes when the history cannot be written', async () => {
  const { trade, get, desk, projection } = await aDesk()
  const { journal_seq } = await get('/api/fills')
  projection.flush = () => {}
  await trade('BUY', 0.01, 50_000)
  expect(await get('/api/fills')).toMatchObject({ journal_seq, fills: [] })
  expect(desk.seq).toBeGreaterThan(journal_seq)
})

function idsOf(fills: { id: string }[]): string[] {
  return fills.map(({ id }) => id)
}
