import { createMemoryJournal, standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'

const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.1 }

/** A desk whose journal can be made to fail, behind the API. */
async function aDeskOnAFailingDisk() {
  const disk = { isFull: false }
  const memory = createMemoryJournal()
  const desk = await openInMemoryDesk({
    journal: {
      ...memory,
      append: async (entries) => {
        if (disk.isFull) throw new Error('database or disk is full')
        await memory.append(entries)
      },
    },
  })
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })
  const quote = () => desk.accept(aQuote(standardInstruments(), { at: wallClock.now() }))
  const get = async (url: string) => (await app.inject({ url })).json()
  const post = async (url: string, payload: object) => {
    const reply = await app.inject({ method: 'POST', url, payload, headers: { 'idempotency-key': 'k' } })
    return { status: reply.statusCode, body: reply.json() }
  }
  quote()
  return { disk, desk, quote, get, post }
}

test('a full disk halts trading: the order is unknown, the next is refused, and the reason shows', async () => {
  const { disk, get, post } = await aDeskOnAFailingDisk()
  disk.isFull = true
  expect(await post('/api/orders', ORDER)).toMatchObject({ status: 503, body: { code: 'engine.unknown' } })
  expect(await post('/api/orders', ORDER)).toMatchObject({ status: 503, body: { code: 'engine.halted' } })
  expect(await get('/api/trading-state')).toMatchObject({
    state: 'HALTED',
    reason: 'Trading stopped itself: database or disk is full.',
  })
  expect(await get('/api/engine/info')).toMatchObject({ status: 'halted', is_running: false })
  expect(await get('/api/orders')).toMatchObject({ orders: [] })
})

test('writing resumes when the disk does, trading only when a person says so', async () => {
  const { disk, desk, quote, get, post } = await aDeskOnAFailingDisk()
  disk.isFull = true
  await post('/api/orders', ORDER)
  disk.isFull = false
  await desk.recover()
  quote()
  expect(await get('/api/engine/info')).toMatchObject({ status: 'running' })
  expect(await get('/api/trading-state')).toMatchObject({
    state: 'HALTED',
    reason: 'The engine stopped itself: database or disk is full.',
  })
  expect((await post('/api/orders', ORDER)).body).toMatchObject({
    status: 'REJECTED',
    reason: { code: 'trading.halted' },
  })
  expect((await post('/api/trading-state', { state: 'ACTIVE' })).body).toMatchObject({ state: 'ACTIVE' })
  expect((await desk.submit({ ...TERMS })).ok).toBe(true)
  await desk.idle()
  expect(await get('/api/orders')).toMatchObject({ orders: [{ status: 'FILLED' }, { status: 'REJECTED' }] })
})

const TERMS = {
  type: 'PlaceOrder',
  instrument: 'BTCUSDT',
  side: 'BUY',
  orderType: 'MARKET',
  quantity: 0.1,
} as const
