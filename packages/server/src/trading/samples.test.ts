import { idFrom, type StrategyId, standardInstruments } from '@binnacle/engine'
import { aQuote } from '@binnacle/engine/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { startSampler } from '#services/samples/sampler.ts'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { addTradingApp } from './app.ts'
import { createDeskSamples, createStrategyResults } from './desk-samples.ts'

const instruments = standardInstruments()

async function openRecorded() {
  const desk = await openInMemoryDesk()
  const store = openSamplesStore(':memory:')
  const clock = { ms: Date.now() - 60_000 }
  const start = () => {
    const samples = createSamples(store)
    const sampler = startSampler({
      samples,
      sources: [createDeskSamples(desk, samples.atStart, () => clock.ms)],
      now: () => clock.ms,
    })
    onTestFinished(() => sampler.close())
    return sampler
  }
  onTestFinished(async () => {
    await desk.close()
    store.close()
  })
  const app = createHttpApp({ logger: silentLog })
  addTradingApp(app, { desk, traderId: 'TRADER-007', samples: createSamples(store) })
  const settle = async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      desk.accept(
        aQuote(instruments, { instrument: 'BTCUSDT-PERP', bid: 50_000, ask: 50_001, at: wallClock.now() }),
      )
      await new Promise((resolve) => setImmediate(resolve))
    }
    await desk.idle()
  }
  const send = async (method: 'POST' | 'GET', url: string, payload?: object) => {
    const reply = await app.inject({ method, url, ...(payload && { payload }) })
    await settle()
    return { status: reply.statusCode, body: reply.json() }
  }
  await settle()
  const read = async (query: string) => (await send('GET', `/api/samples?${query}`)).body
  const since = () => `from=${new Date(clock.ms - 600_000).toISOString()}`
  return { desk, store, clock, start, send, read, since, sampler: start() }
}

const ORDER = { instrument: 'BTCUSDT-PERP', side: 'BUY', type: 'MARKET', quantity: 0.1, price: 0 }
const SERIES =
  'equity,pnl.today,pnl.realized,pnl.unrealized,fees,exposure,margin.used,margin.available,drawdown,drawdown.max,limit.exposure,limit.daily-loss,limit.positions'

test('[SAMPLE-1] account, risk and limit use are recorded as the calls show them', async () => {
  const { send, sampler, read, since } = await openRecorded()
  await send('POST', '/api/services/risk/start')
  await send('POST', '/api/orders', ORDER)
  await sampler.tick()
  const { series } = await read(`series=${SERIES}&${since()}`)
  const last = Object.fromEntries(
    series.map(({ name, points }: { name: string; points: number[][] }) => [name, points.at(-1)?.[1]]),
  )
  const { body: account } = await send('GET', '/api/account')
  const { body: metrics } = await send('GET', '/api/risk/metrics')
  expect(last).toMatchObject({
    equity: account.equity,
    'pnl.today': account.day_pnl,
    'pnl.unrealized': account.unrealized_pnl,
    fees: account.fees,
    exposure: metrics.total_exposure,
    'margin.used': metrics.margin_used,
    'margin.available': metrics.margin_available,
    drawdown: metrics.max_drawdown,
    'drawdown.max': metrics.max_drawdown,
    'limit.exposure': metrics.total_exposure / 500,
    'limit.positions': 10,
  })
  expect(last['limit.daily-loss']).toBeCloseTo(-account.day_pnl / 50, 6)
})

test('[SAMPLE-1] a strategy is recorded while it runs or holds something', async () => {
  const { send, sampler, read, since } = await openRecorded()
  const added = await send('POST', '/api/strategies', {
    name: 'Trend',
    type: 'momentum',
    description: '',
    config: {},
  })
  const { id } = added.body
  await sampler.tick()
  const count = async () => (await read(`series=strategy.${id}.pnl&${since()}`)).series[0].points.length
  expect(await count()).toBe(0)
  await send('POST', `/api/strategies/${id}/start`)
  await sampler.tick()
  expect(await count()).toBe(1)
})

test('[SAMPLE-13] the result of a strategy that changes after its stop is recorded once more', () => {
  const resultsOf = createStrategyResults()
  const view = { id: idFrom<StrategyId>('S-1'), openPositions: 1, workingOrders: 0 }
  const running = { ...view, status: 'running', pnl: 5.6 } as const
  const closed = { ...view, status: 'stopped', openPositions: 0, pnl: 4.42 } as const
  expect(resultsOf('live', [running], [])).toEqual([['strategy.S-1.pnl', 5.6]])
  expect(resultsOf('live', [running], [])).toEqual([['strategy.S-1.pnl', 5.6]])
  expect(resultsOf('live', [closed], [])).toEqual([['strategy.S-1.pnl', 4.42]])
  expect(resultsOf('live', [closed], [])).toEqual([])
  // Deleted before its close was sampled.
  expect(resultsOf('live', [], [{ id: view.id, pnl: 4.3 }])).toEqual([['strategy.S-1.pnl', 4.3]])
  expect(resultsOf('live', [], [{ id: view.id, pnl: 4.3 }])).toEqual([])
  // A new server records the result of a strategy that was stopped meanwhile; one without a result has nothing.
  const idle = { ...closed, id: idFrom<StrategyId>('S-2'), pnl: 0 }
  expect(createStrategyResults()('live', [closed, idle], [])).toEqual([['strategy.S-1.pnl', 4.42]])
})

test('[SAMPLE-7] nothing is recorded while Portfolio is stopped', async () => {
  const { send, sampler, clock, read, since } = await openRecorded()
  await sampler.tick()
  await send('POST', '/api/component/stop', { component: 'Portfolio' })
  clock.ms += 1000
  await sampler.tick()
  // The sampler's own timer may tick at any moment, so time passes before the change.
  clock.ms += 1000
  await send('POST', '/api/component/start', { component: 'Portfolio' })
  await sampler.tick()
  const { series } = await read(`series=equity&resolution=1&${since()}`)
  const times = series[0].points.map(([at]: number[]) => at)
  expect(times).toEqual([Math.floor(clock.ms / 1000) - 2, Math.floor(clock.ms / 1000)])
})

test('[FEAT-26] nothing of the account is recorded while Analytics Service is stopped, and the gap is marked', async () => {
  const { send, sampler, clock, read, since } = await openRecorded()
  await send('POST', '/api/services/risk/start')
  await sampler.tick()
  await send('POST', '/api/services/analytics/stop')
  clock.ms += 1000
  await sampler.tick()
  clock.ms += 1000
  await send('POST', '/api/services/analytics/start')
  await sampler.tick()
  const { series, marks } = await read(`series=equity,limit.positions&resolution=1&${since()}`)
  expect(series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([2, 3])
  expect(marks.map(({ kind, text }: Record<string, string>) => [kind, text])).toEqual([
    ['analytics', 'Analytics Service was stopped. Nothing is recorded until it is started.'],
    ['analytics', 'Analytics Service was started.'],
  ])
})

test('[FEAT-18] value at risk and use of limits are not recorded while Risk Service is stopped', async () => {
  const { send, sampler, clock, read, since } = await openRecorded()
  await sampler.tick()
  clock.ms += 1000
  await send('POST', '/api/services/risk/start')
  await sampler.tick()
  const { series } = await read(`series=equity,limit.positions&resolution=1&${since()}`)
  expect(series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([2, 1])
})

test('[FEAT-27] figures of the paper account are recorded apart, and the change is marked', async () => {
  const { desk, sampler, start, clock, read, since } = await openRecorded()
  await sampler.tick()
  sampler.close()
  await desk.submit({ type: 'SwitchFeature', feature: 'paper-trading', isEnabled: true })
  clock.ms += 1000
  await start().tick()
  const { series, marks } = await read(`series=equity,paper.equity&resolution=1&${since()}`)
  expect(series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([1, 1])
  expect(marks.map(({ text }: Record<string, string>) => text)).toContain(
    'Orders trade for the paper account.',
  )
})

test('[SAMPLE-8] each change of the trading state and of the limits is marked, two in one second as well', async () => {
  const { send, sampler, read, since } = await openRecorded()
  await sampler.tick()
  await send('POST', '/api/trading-state', { state: 'HALTED', note: 'news' })
  await send('POST', '/api/trading-state', { state: 'ACTIVE' })
  const { body: limits } = await send('GET', '/api/risk/limits')
  await send('POST', '/api/risk/limits', { ...limits, max_daily_loss: 4000 })
  await sampler.tick()
  await sampler.tick()
  const { marks } = await read(`series=equity&${since()}`)
  expect(marks.map(({ kind, text }: Record<string, string>) => [kind, text])).toEqual(
    expect.arrayContaining([
      ['limits', 'Max Daily Loss 5,000 → 4,000.'],
      ['halted', 'Trading is HALTED. Set by hand: news.'],
      ['active', expect.stringMatching(/^Trading is ACTIVE\./)],
    ]),
  )
  expect(marks).toHaveLength(3)
})

test('[SAMPLE-8] a change that a kill left unmarked is marked after the restart', async () => {
  const { send, sampler, start, read, since } = await openRecorded()
  await sampler.tick()
  sampler.close()
  await send('POST', '/api/trading-state', { state: 'REDUCING' })
  await start().tick()
  const { marks } = await read(`series=equity&${since()}`)
  expect(marks.map(({ kind }: Record<string, string>) => kind).toSorted()).toEqual(['reducing', 'restart'])
})

test('[SAMPLE-9] several series come in one reply, with the sample before the range and null without one', async () => {
  const { sampler, clock, read } = await openRecorded()
  clock.ms = Math.floor(clock.ms / 60_000) * 60_000 - 300_000
  await sampler.tick()
  const from = new Date(clock.ms + 60_000).toISOString()
  clock.ms += 120_000
  await sampler.tick()
  const reply = await read(`series=equity,nothing&from=${from}`)
  expect(reply).toMatchObject({ from, step_s: 1, gap_s: 5, marks: [] })
  const at = clock.ms / 1000
  expect(reply.series).toEqual([
    { name: 'equity', points: [[at, 100_000, 100_000, 100_000]], before: { at: at - 120, value: 100_000 } },
    { name: 'nothing', points: [], before: null },
  ])
})

test.each([
  ['series=equity&from=2026-01-01', 'query.from'],
  ['series=equity&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.from'],
  ['series=equity&from=2026-01-01T00:00:00Z&points=2001', 'query.points'],
  ['series=equity&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&resolution=1', 'query.resolution'],
  ['series=equity&from=2026-01-01T00:00:00Z&resolution=7', 'query.resolution'],
  [`series=${Array.from({ length: 51 }, (_, n) => `s${n}`)}&from=2026-01-01T00:00:00Z`, 'query.series'],
  ['from=2026-01-01T00:00:00Z', 'query.series'],
])('[SAMPLE-10] %s is refused and names %s', async (query, field) => {
  const { send } = await openRecorded()
  const { status, body } = await send('GET', `/api/samples?${query}`)
  expect([status, body.code]).toEqual([422, 'request.invalid'])
  expect(body.errors.map((each: { field: string }) => each.field)).toContain(field)
})
