import { standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { createHttpApp } from '#http/app.ts'
import { addTradingApp } from '#trading/app.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { openInMemoryDesk } from './in-memory-desk.ts'
import { silentLog } from './silent-log.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

export type TradingApp = Awaited<ReturnType<typeof openTradingApp>>

/** The trading API over a desk in memory, with BTCUSDT at 50,000. */
export async function openTradingApp() {
  const instruments = standardInstruments()
  const desk = await openInMemoryDesk()
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007' })

  function quote(price: number): void {
    desk.accept(aQuote(instruments, { bid: price - 0.5, ask: price + 0.5, at: wallClock.now() }))
  }

  /** Venue and engine talk through the clock's ticks: a few quotes let them finish. */
  async function settle(price = 50_000): Promise<void> {
    for (let turn = 0; turn < 4; turn++) {
      quote(price)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function call(method: Method, url: string, body?: object, key?: string) {
    const headers = { ...(key && { 'idempotency-key': key }) }
    const reply = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    return { status: reply.statusCode, body: reply.json() }
  }

  quote(50_000)
  return { app, desk, quote, settle, call }
}

export const market = (quantity: number) => ({
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'MARKET',
  quantity,
  price: 0,
})

export const limit = (price: number | null) => ({
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: 0.1,
  price,
})
