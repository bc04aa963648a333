import { describe, expect, test } from 'vitest'
import { backtests } from './backtests.ts'
import { engine } from './engine.ts'
import { instruments } from './instruments.ts'
import { positions } from './positions.ts'
import { service } from './service.ts'

describe('the engine', () => {
  const sent = {
    trader_id: 'TRADER-001',
    engine_type: 'embedded',
    status: 'running',
    is_running: true,
    strategies_count: 2,
  }

  test('[CALL-8] engine info names the trader, the type, the status, whether it runs and its strategies', () => {
    expect(engine.info.reply.parse(sent)).toEqual(sent)
    expect(engine.info.reply.parse({ ...sent, is_running: 0 })).toEqual({ ...sent, is_running: false })
    expect(engine.nautilusInfo.reply).toBe(engine.info.reply)
  })

  test.each(Object.keys(sent))('[CLIENT-5] without %s engine info is a failed load', (field) => {
    expect(engine.info.reply.safeParse({ ...sent, [field]: undefined }).success).toBe(false)
  })

  test('[CALL-9] system info lists the components, each with id, name, type and status', () => {
    const component = { id: 'risk', name: 'RiskEngine', type: 'Engine', status: 'running' }
    expect(engine.systemInfo.reply.parse({ components: [component] })).toEqual({ components: [component] })
  })

  test.each([{}, { components: null }])('[TRD-7] system info may be %j', (sent) => {
    expect(engine.systemInfo.reply.parse(sent).components ?? []).toEqual([])
  })

  test('[CALL-7] initialize takes an empty object and nothing else', () => {
    expect(engine.initialize.body.parse({})).toEqual({})
    expect(engine.initialize.body.safeParse({ force: true }).success).toBe(false)
  })
})

describe('capabilities', () => {
  test('[CAP-1] are a list of names, known to this console or not', () => {
    const sent = { version: 'v1.0.0', capabilities: ['stream', 'time-travel'] }
    expect(service.capabilities.reply.parse(sent)).toEqual(sent)
    expect(service.capabilities.reply.parse({ capabilities: [] })).toEqual({ capabilities: [] })
  })

  test.each([undefined, null, [], {}, { capabilities: 'all' }, 'OK'])(
    '[CAP-3] %j is no such list',
    (sent) => {
      expect(service.capabilities.reply.safeParse(sent).success).toBe(false)
    },
  )
})

test('[CALL-16] each position has its prices and both kinds of P&L', () => {
  const position = {
    id: 1,
    instrument: 'BTCUSDT',
    side: 'LONG',
    quantity: 0.5,
    entry_price: 50_000,
    current_price: 51_000,
    unrealized_pnl: 500,
    realized_pnl: -20,
  }
  expect(positions.list.reply.parse({ positions: [position] })).toEqual({ positions: [position] })
  for (const field of Object.keys(position)) {
    expect(positions.list.reply.safeParse([{ ...position, [field]: undefined }]).success).toBe(false)
  }
})

test('[CALL-9] [CALL-37] an instrument needs only the id that an order names', () => {
  expect(instruments.list.reply.parse([{ id: 'BTCUSDT.BYBIT', tick_size: 'fine' }])).toEqual({
    instruments: [{ id: 'BTCUSDT.BYBIT' }],
  })
})

test('[CALL-13] a backtest request says what to run on what, and the rest has defaults', () => {
  const asked = {
    strategy: { type: 'momentum', config: { window: 20 } },
    instrument: 'BTCUSDT',
    from: '2026-01-01T00:00:00Z',
    to: '2026-02-01T00:00:00+01:00',
  }
  // The interval has none: the strategy may name its own.
  const defaults = { initial_cash: 100_000, slippage_bps: 0, latency_ms: 0, seed: 1 }
  const request = { ...asked, ...defaults }
  expect(backtests.start.body.parse(asked)).toEqual(request)
  expect(backtests.start.body.safeParse({ ...asked, from: 'January' }).success).toBe(false)
  const queued = { id: 'b-1', status: 'queued', progress: 0, request, created_at: '2026-02-01T00:00:00Z' }
  expect(backtests.get.reply.parse(queued)).toEqual(queued)
})
