import { join } from 'node:path'
import { type Backtest, NewBacktest, NewSweep, type Problem, type Sweep, sweeps } from '@binnacle/contract'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import type { SweepListRow } from '#storage/admin/sweeps-store.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { newBacktests, recordedBars } from '#testkit/backtests.ts'
import { silentLog } from '#testkit/silent-log.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import { addBacktestRoutes } from './backtests.routes.ts'
import { addSweepRoutes } from './sweeps.routes.ts'
import { sweepToWire } from './sweeps.wire.ts'

const BASE = {
  strategy: { type: 'momentum', config: { fast_bars: 10, slow_bars: 20, threshold_bps: 0 } },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-01-11T00:00:00Z',
}
const PARAMETERS = { fast_bars: { values: [5, 10, 30] }, order_value: { values: [100, 300] } }

const atEnd = afterAllTests()
let app: FastifyInstance
let runs: Backtests

beforeAll(async () => {
  const { store } = await newAdminStore(atEnd)
  runs = await newBacktests(store, { bars: recordedBars(6 * 1_440), atEnd })
  app = createHttpApp({ logger: silentLog })
  addBacktestRoutes(app, runs)
  addSweepRoutes(app, runs)
})

function start(part: object, headers = {}) {
  const payload = { base: BASE, parameters: PARAMETERS, ...part }
  return app.inject({ method: 'POST', url: '/api/nautilus/sweeps', payload, headers })
}

async function completed(part: object): Promise<Sweep> {
  const reply = await start(part)
  expect(reply.statusCode, reply.body).toBe(202)
  const { id } = reply.json<Sweep>()
  await runs.sweeps.ended(Number(id))
  return sweeps.get.reply.parse((await app.inject({ url: `/api/nautilus/sweeps/${id}` })).json())
}

describe('a sweep', () => {
  test('[BT-37] [BT-38] [BT-39] [BT-41] has a result for each set, equal to a single run, and the best', async () => {
    const sweep = await completed({})
    expect(sweep).toMatchObject({ status: 'completed', total: 6, done: 6, stopped_early: false })
    expect(sweep.names).toEqual(['fast_bars', 'order_value'])
    const refused = sweep.results.filter(({ error }) => error !== null)
    expect(refused.map(({ set }) => sweep.sets[set])).toEqual([
      [30, 100],
      [30, 300],
    ])
    expect(refused[0]?.error).toContain('Fast average (bars) must be below Slow average (bars), 20')
    const config = { ...BASE.strategy.config, fast_bars: 10, order_value: 300 }
    const request = NewBacktest.parse({ ...BASE, strategy: { type: 'momentum', config } })
    const single = await runs.start(serverAuditContext('a test'), request)
    const id = 'row' in single ? single.row.id : 0
    await runs.ended(id)
    const { result } = (await app.inject({ url: `/api/nautilus/backtest/${id}` })).json<Backtest>()
    const same = sweep.results.find(({ set }) => String(sweep.sets[set]) === '10,300')
    expect(same).toMatchObject({ hash: result?.hash, statistics: result?.statistics, orders: result?.orders })
    const ratios = sweep.results.flatMap(({ statistics }) => statistics?.sharpe ?? [])
    expect(sweep.best?.value).toBe(Math.max(...ratios))
    expect(sweep.deflated_sharpe).toMatchObject({ trials: 4 })
    expect(sweep.deflated_sharpe?.probability).toBeGreaterThanOrEqual(0)
  })

  test('[BT-148] counts the orders of each set, and those that the risk checks denied', async () => {
    const limits = { max_order_size: 200, max_position_size: 1e6, max_daily_loss: 1e6, max_positions: 10 }
    const parameters = { order_value: { values: [100, 300] } }
    const { results } = await completed({ base: { ...BASE, limits }, parameters })
    const [within, above] = results
    expect(within?.denied_orders).toBe(0)
    expect(within?.orders).toBeGreaterThan(0)
    expect(above?.denied_orders).toBe(above?.orders)
    expect(above?.orders).toBeGreaterThan(0)
  })

  test('[BT-148] that was stored before orders were counted opens without counts', async () => {
    const list = { names: '["fast_bars"]', sets: '[[5]]', segments: '[]', request: '{"measure":"sharpe"}' }
    const times = { created_at: '', started_at: null, finished_at: null, error: null, best: null }
    const row = { id: 1, status: 'completed', done: 1, stopped_early: 0, ...list, ...times } as SweepListRow
    const { daily, statistics } = { daily: { count: 0, mean: 0, deviation: 0 }, statistics: { sharpe: 1 } }
    const figures = JSON.stringify({ statistics, daily })
    const stored = { sweep_id: 1, segment: 0, set_number: 0, hash: 'h', figures, error: null }
    const [result] = sweepToWire(row, [stored]).results
    expect(result).toEqual({ set: 0, segment: 0, statistics, hash: 'h', error: null })
  })

  test('[BT-39] with patience ends after sets that are no better', async () => {
    // More turnover costs more: the smallest order value has the smallest drawdown.
    const parameters = { order_value: { values: [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000] } }
    const sweep = await completed({ parameters, measure: 'max_drawdown', patience: 2 })
    expect(sweep).toMatchObject({ status: 'completed', stopped_early: true, best: { set: 0 } })
    expect(sweep.done).toBe(3)
  })

  test('[BT-40] over windows reports what the best set in the sample did after it', async () => {
    const sweep = await completed({
      parameters: { fast_bars: { values: [5, 10] } },
      measure: 'total_return',
      windows: 3,
    })
    expect(sweep).toMatchObject({ total: 12, done: 12, best: null, deflated_sharpe: null })
    expect(sweep.walk_forward).toHaveLength(3)
    for (const { window, set, in_sample: inside, out_of_sample: outside } of sweep.walk_forward) {
      const of = (part: string) =>
        sweep.segments.findIndex((one) => one.window === window && one.part === part)
      const at = (segment: number, number: number) =>
        sweep.results.find((one) => one.segment === segment && one.set === number)?.statistics?.total_return
      expect(inside).toBe(Math.max(at(of('in'), 0) ?? 0, at(of('in'), 1) ?? 0))
      expect(outside).toBe(at(of('out'), set ?? 0))
    }
  })

  test('[BT-38] that is cancelled keeps its results, and one that waits never starts', async () => {
    const many = {
      parameters: { fast_bars: { from: 1, to: 19, step: 1 }, order_value: { from: 1, to: 100, step: 1 } },
    }
    const first = (await start(many)).json<Sweep>().id
    const second = (await start(many)).json<Sweep>().id
    const cancel = (id: unknown) => app.inject({ method: 'POST', url: `/api/nautilus/sweeps/${id}/cancel` })
    const waiting = await cancel(second)
    expect(waiting.json()).toMatchObject({ status: 'cancelled', done: 0, started_at: null })
    expect((await cancel(first)).json()).toMatchObject({ status: 'cancelled', total: 1_900 })
    expect((await cancel(first)).statusCode).toBe(409)
    expect((await cancel(99_999)).statusCode).toBe(404)
    const listed = sweeps.list.reply.parse((await app.inject({ url: '/api/nautilus/sweeps' })).json())
    expect(listed.sweeps[0]).toMatchObject({ id: second, status: 'cancelled' })
  })

  test('[BT-37] with the key of an earlier one is that one', async () => {
    const headers = { 'idempotency-key': 'sweep' }
    const first = (await start({}, headers)).json<Sweep>().id
    expect((await start({}, headers)).json<Sweep>().id).toBe(first)
    await runs.sweeps.ended(Number(first))
  })

  test('[BT-37] whose every set is refused is refused, with the field in its base', async () => {
    const reply = await start({ parameters: { fast_bars: { values: [40, 50] } } })
    expect(reply.statusCode).toBe(422)
    expect(reply.json<Problem>().errors).toMatchObject([{ field: 'body.base.strategy.config.fast_bars' }])
    const none = await start({ base: { ...BASE, from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' } })
    expect(none.json<Problem>().errors).toMatchObject([{ field: 'body.base.from' }])
  })

  test('[BT-44] that was running when the server ended is interrupted, with its results', async () => {
    const file = join(temporaryFolder(), 'admin.sqlite')
    const store = await openAdminStore(file)
    const request = JSON.stringify(NewSweep.parse({ base: BASE, parameters: PARAMETERS }))
    const texts = { request, names: '["a"]', sets: '[[1],[2]]', segments: '[{}]' }
    const { id } = await store.sweeps.add(serverAuditContext('a test'), texts, [])
    await store.sweeps.begin(id)
    await store.sweeps.addResult({
      sweep_id: id,
      segment: 0,
      set_number: 0,
      hash: 'h',
      figures: null,
      error: null,
    })
    await store.close()
    const again = await openAdminStore(file)
    expect(await again.sweeps.find(id)).toMatchObject({
      status: 'interrupted',
      done: 1,
      error: 'The server stopped before this sweep ended. Run it again.',
    })
    await again.close()
  })
})

describe('the look-ahead check of a run', () => {
  test('[BT-42] passes a strategy that has only the bars it was given', async () => {
    const request = NewBacktest.parse({ ...BASE, to: '2026-01-06T00:00:00Z' })
    const started = await runs.start(serverAuditContext('a test'), request)
    const id = 'row' in started ? started.row.id : 0
    await runs.ended(id)
    const reply = await app.inject({ method: 'POST', url: `/api/nautilus/backtest/${id}/look-ahead` })
    expect(reply.json()).toMatchObject({ status: 'passed', at: null })
    expect(reply.json().cuts).toBeGreaterThan(3)
    const unknown = await app.inject({ method: 'POST', url: '/api/nautilus/backtest/99999/look-ahead' })
    expect(unknown.statusCode).toBe(404)
  })
})
