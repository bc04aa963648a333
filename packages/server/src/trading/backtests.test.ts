import type { Backtest, Problem, Strategy } from '@binnacle/contract'
import { backtests as calls } from '@binnacle/contract'
import { walkBars } from '@binnacle/engine/testkit'
import { afterAllTests } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { BARS_FROM, newBacktests, recordedBars } from '#testkit/backtests.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import { addBacktestRoutes } from './backtests.routes.ts'
import { checkFeature } from './feature-state.ts'
import { addPromotionRoutes } from './promotions.routes.ts'

const REQUEST = {
  strategy: { type: 'momentum', config: { fast_bars: 10, slow_bars: 20, threshold_bps: 0 } },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-01-07T00:00:00Z',
}

const atEnd = afterAllTests()
let app: FastifyInstance
let runs: Backtests
let store: AdminStore
let desk: InMemoryDesk

beforeAll(async () => {
  store = (await newAdminStore(atEnd)).store
  const okx = walkBars({ rows: 2_880, seed: 12, startAt: BARS_FROM, instrument: 'BTCUSDT.OKX' })
  runs = await newBacktests(store, { bars: [...recordedBars(), okx], atEnd })
  app = createHttpApp({ logger: silentLog })
  desk = await openInMemoryDesk()
  atEnd(() => desk.close())
  addBacktestRoutes(app, runs, () => checkFeature(desk, 'backtesting'))
  addPromotionRoutes(app, { desk, runs, minNumber: 1 })
})

describe('a backtest', () => {
  test('[CALL-13] is queued, runs, and completes with series, trades and statistics', async () => {
    const queued = await start(REQUEST)
    expect(queued.statusCode).toBe(202)
    const { id, status, engine_version } = queued.json<Backtest>()
    expect([status, engine_version]).toEqual(['queued', 'v1.0.0+7'])
    const done = await completed(id)
    expect(done).toMatchObject({ status: 'completed', progress: 1, error: null })
    expect(done.data_fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(done.request.strategy.config).toMatchObject({
      instrument: 'BTCUSDT',
      interval: '1m',
      order_value: 300,
    })
    expect(done.request.limits?.max_order_size).toBe(100_000)
    const { result } = done
    expect(result?.bars).toBe(2_880)
    expect(result?.equity_curve).toHaveLength(1_440)
    expect(result?.equity_curve.at(-1)).toMatchObject({
      at: '2026-01-07T00:00:00.000Z',
      equity: result?.final_equity,
    })
    expect(result?.trades_total).toBeGreaterThan(50)
    expect(result?.trades).toHaveLength(result?.trades_total ?? 0)
    expect(result?.statistics.trades).toBe(result?.trades_total)
    expect(result?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('[BT-5] [BT-10] run again from its record gives the same hash, with another seed or other bars another record', async () => {
    const first = await completed((await start(REQUEST)).json<Backtest>().id)
    const again = await app.inject({ method: 'POST', url: `/api/nautilus/backtest/${first.id}/rerun` })
    expect(again.statusCode).toBe(202)
    const second = await completed(again.json<Backtest>().id)
    expect(second.rerun_of).toBe(first.id)
    expect(second.data_fingerprint).toBe(first.data_fingerprint)
    expect(second.result).toEqual(first.result)
    const other = await completed(
      (await start({ ...REQUEST, to: '2026-01-06T00:00:00Z' })).json<Backtest>().id,
    )
    expect(other.data_fingerprint).not.toBe(first.data_fingerprint)
    expect(other.result?.hash).not.toBe(first.result?.hash)
  })

  test('uses bars of a longer interval, the fees it names, slippage and latency', async () => {
    const hourly = {
      ...REQUEST,
      interval: '15m',
      fees: { maker_bps: 0, taker_bps: 0 },
      slippage_bps: 2,
    } as const
    const free = await completed((await start({ ...hourly, latency_ms: 200 })).json<Backtest>().id)
    expect(free.result?.bars).toBe(192)
    expect(free.result?.statistics.fees).toBe(0)
    expect(free.result?.trades_total).toBeGreaterThan(0)
    const dear = { ...hourly, fees: { maker_bps: 10, taker_bps: 10 } }
    const paid = await completed((await start(dear)).json<Backtest>().id)
    const { fees = 0, turnover = 0 } = paid.result?.statistics ?? {}
    expect(fees).toBeCloseTo(turnover * 100_000 * 0.001, 2)
  })

  test("[BT-3] uses the bars that the strategy's settings name when the request names none", async () => {
    const config = { interval: '15m', fast_bars: 2, slow_bars: 5 }
    const queued = await start({ ...REQUEST, strategy: { type: 'momentum', config } })
    expect(queued.json<Backtest>().request).toMatchObject({ interval: '15m', strategy: { config } })
    expect((await completed(queued.json<Backtest>().id)).result?.bars).toBe(192)
  })

  test('trades several instruments when the strategy does', async () => {
    const request = {
      ...REQUEST,
      strategy: { type: 'arbitrage', config: {} },
      instrument: undefined,
      instruments: ['BTCUSDT', 'BTCUSDT.OKX'],
    }
    const done = await completed((await start(request)).json<Backtest>().id)
    expect(done).toMatchObject({ status: 'completed', result: { bars: 2_880 } })
  })

  test('is listed without its series, newest first', async () => {
    await completed((await start(REQUEST)).json<Backtest>().id)
    const reply = await app.inject({ url: '/api/nautilus/backtests?status=completed&limit=2' })
    const { backtests } = calls.list.reply.parse(reply.json())
    expect(backtests).toHaveLength(2)
    expect(Number(backtests[0]?.id)).toBeGreaterThan(Number(backtests[1]?.id))
    expect(backtests[0]?.result?.statistics.trades).toBeGreaterThan(0)
    expect(reply.body).not.toContain('equity_curve')
  })

  test('[BT-16] can be run over the recorded period of each instrument', async () => {
    const reply = await app.inject({ url: '/api/nautilus/backtests/recorded' })
    const period = { from: '2026-01-05T00:00:00.000Z', to: '2026-01-07T00:00:00.000Z', missing_s: 0 }
    expect(reply.json()).toEqual({
      recorded: [
        { instrument: 'BTCUSDT', ...period },
        { instrument: 'BTCUSDT.OKX', ...period },
      ],
    })
  })

  test('[BT-32] gets tags and a note beside its record, and is archived once it has ended', async () => {
    const { id } = await completed((await start(REQUEST)).json<Backtest>().id)
    const label = (payload: object, of = id) =>
      app.inject({ method: 'PUT', url: `/api/nautilus/backtest/${of}/labels`, payload })
    const labels = { tags: ['fast', 'to keep'], note: 'Best so far', archived: true }
    const reply = await label(labels)
    expect(reply.json()).toMatchObject({ id, ...labels, status: 'completed' })
    const listed = async (archived: boolean) => {
      const list = await app.inject({ url: `/api/nautilus/backtests?archived=${archived}` })
      return calls.list.reply.parse(list.json()).backtests.find((run) => run.id === id)
    }
    expect(await listed(false)).toBeUndefined()
    expect(await listed(true)).toMatchObject(labels)
    await label({ ...labels, archived: false })
    expect(await listed(false)).toMatchObject({ ...labels, archived: false })
    expect((await label({ ...labels, tags: ['a', 'a'] })).statusCode).toBe(422)
    expect((await label(labels, 999_999)).statusCode).toBe(404)
    const early = await label(labels, await aQueuedRecord())
    expect(early.json<Problem>().errors?.[0]).toMatchObject({ field: 'body.archived' })
  })

  test('[BT-28] [BT-33] is promoted once for a key, and its run stays with the strategy', async () => {
    const run = await completed((await start(REQUEST)).json<Backtest>().id)
    const promote = (of: unknown) =>
      app.inject({
        method: 'POST',
        url: `/api/nautilus/backtest/${of}/promote`,
        headers: { 'idempotency-key': 'promotion' },
        payload: { name: 'Mine' },
      })
    const reply = await promote(run.id)
    expect(reply.statusCode).toBe(201)
    const strategy = reply.json<Strategy>()
    expect(strategy).toMatchObject({
      name: 'Mine',
      status: 'stopped',
      config: run.request.strategy.config,
      description: `Promoted from BT-${run.id}, result ${run.result?.hash.slice(0, 8)}`,
    })
    expect((await promote(run.id)).json<Strategy>().id).toBe(strategy.id)
    const { promotions } = calls.promotions.reply.parse(
      (await app.inject({ url: '/api/nautilus/promotions' })).json(),
    )
    expect(promotions).toMatchObject([
      {
        strategy: strategy.id,
        backtest: run.id,
        hash: run.result?.hash,
        results: run.result?.trades.map(({ pnl }) => pnl),
      },
    ])
    expect((await promote('none')).statusCode).toBe(404)
    expect((await promote(await aQueuedRecord())).json<Problem>().detail).toContain('has no result')
  })

  test('[BT-30] started or repeated twice with one key is one run', async () => {
    const send = async (url: string, key: string, payload?: object) => {
      const headers = { 'idempotency-key': key }
      const reply = await app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
      return reply.json<Backtest>().id
    }
    const first = await send('/api/nautilus/backtest', 'one', REQUEST)
    expect(await send('/api/nautilus/backtest', 'one', REQUEST)).toBe(first)
    const again = `/api/nautilus/backtest/${first}/rerun`
    const second = await send(again, 'two')
    expect(await send(again, 'two')).toBe(second)
    expect(await send(again, 'three')).toBe(Number(second) + 1)
    await Promise.all([first, second, Number(second) + 1].map((id) => completed(id)))
  })

  test('that is started, cancelled or ended leaves a line in the audit log', async () => {
    const { id } = (await start(REQUEST)).json<Backtest>()
    await completed(id)
    const lines = await store.audit.page({ entity: 'backtest' }, 1e9, 2)
    expect(lines.map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ['server', 'backtests.end', String(id)],
      ['local', 'backtests.start', String(id)],
    ])
  })
})

describe('an impossible request', () => {
  test.each([
    [
      'of before all time',
      { from: '0000-01-01T00:00:00Z' },
      'body.from',
      'From (UTC) is 0000-01-01T00:00:00Z; the earliest is 1970-01-01T00:00:00.000Z.',
    ],
    [
      'reversed',
      { to: '2026-01-04T00:00:00Z' },
      'body.to',
      'To (UTC), 2026-01-04T00:00:00Z, must be after From (UTC), 2026-01-05T00:00:00Z.',
    ],
    [
      'outside of what is recorded',
      { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' },
      'body.from',
      'There are no bars of BTCUSDT from 2025-01-01T00:00:00.000Z to 2025-02-01T00:00:00.000Z. Recorded: from 2026-01-05T00:00:00.000Z to 2026-01-06T23:59:00.000Z.',
    ],
    ['of an instrument without bars', { instrument: 'ETHUSDT' }, 'body.from', 'No bars of it are recorded'],
    ['of an unknown instrument', { instrument: 'DOGE' }, 'body.instrument', 'DOGE'],
    [
      'with an unknown parameter',
      { strategy: { type: 'momentum', config: { window: 3 } } },
      'body.strategy.config.window',
      'window',
    ],
    [
      'with a parameter out of its bounds',
      { strategy: { type: 'momentum', config: { fast_bars: 0 } } },
      'body.strategy.config.fast_bars',
      '1 to 1000',
    ],
    [
      'whose parameters contradict it',
      { strategy: { type: 'momentum', config: { instrument: 'ETHUSDT' } } },
      'body.strategy.config.instrument',
      'Instrument of the strategy is "ETHUSDT", that of the run "BTCUSDT".',
    ],
    [
      'whose bars are not those of the strategy',
      { interval: '1m', strategy: { type: 'momentum', config: { interval: '5m' } } },
      'body.strategy.config.interval',
      'Bar interval of the strategy is "5m", that of the run "1m". Leave one of them out.',
    ],
    [
      'of a strategy with bars that there are not',
      { strategy: { type: 'momentum', config: { interval: '7m' } } },
      'body.strategy.config.interval',
      '7m',
    ],
    [
      'of a strategy with bars that are not recorded',
      { strategy: { type: 'momentum', config: { interval: '15s' } } },
      'body.strategy.config.interval',
      'Backtests run over bars of 1m, 5m, 15m, 1h, 4h, 1d; Bar interval of the strategy is 15s. Choose one of these.',
    ],
    [
      'with too little capital for one lot',
      { initial_cash: 4 },
      'body.initial_cash',
      '0.0001 BTCUSDT at 50000 cost 5.00',
    ],
    [
      'with two instruments for a strategy of one',
      { instruments: ['BTCUSDT', 'BTCUSDT.OKX'] },
      'body.instruments',
      'not 2',
    ],
  ])(
    '[BT-3] %s is refused with its field and numbers, and leaves no record',
    async (_, change, field, sentence) => {
      const before = (await store.backtests.list(500, { isArchived: false })).length
      const reply = await start({ ...REQUEST, ...change } as typeof REQUEST)
      expect(reply.statusCode).toBe(422)
      const problem = reply.json<Problem>()
      expect(problem.code).toBe('request.invalid')
      expect(problem.errors?.map((fault) => fault.field)).toEqual([field])
      expect(problem.detail).toContain(sentence)
      expect(await store.backtests.list(500, { isArchived: false })).toHaveLength(before)
    },
  )

  test('[FEAT-23] none is started while Backtesting is off, and what is there can be read', async () => {
    const { id } = (await start(REQUEST)).json<Backtest>()
    await desk.submit({ type: 'SwitchFeature', feature: 'backtesting', isEnabled: false })
    const refused = await start(REQUEST)
    expect([refused.statusCode, refused.json<Problem>().detail]).toEqual([
      409,
      'Backtesting is off. Enable it on the Features screen.',
    ])
    const rerun = await app.inject({ method: 'POST', url: `/api/nautilus/backtest/${id}/rerun` })
    expect(rerun.statusCode).toBe(409)
    expect((await completed(id)).status).toBe('completed')
    await desk.submit({ type: 'SwitchFeature', feature: 'backtesting', isEnabled: true })
    expect((await start(REQUEST)).statusCode).toBe(202)
  })

  test.each(['get', 'cancel', 'rerun'])('%s of a backtest that is not there says so', async (act) => {
    const url = act === 'get' ? '/api/nautilus/backtest/99999' : `/api/nautilus/backtest/99999/${act}`
    const reply = await app.inject({ method: act === 'get' ? 'GET' : 'POST', url })
    expect([reply.statusCode, reply.json<Problem>().code]).toEqual([404, 'thing.unknown'])
  })
})

function start(request: object) {
  return app.inject({ method: 'POST', url: '/api/nautilus/backtest', payload: request })
}

async function completed(id: Backtest['id']): Promise<Backtest> {
  await runs.ended(Number(id))
  const reply = await app.inject({ url: `/api/nautilus/backtest/${id}` })
  return calls.get.reply.parse(reply.json())
}

/** A record that no thread runs. */
async function aQueuedRecord(): Promise<number> {
  const row = { request: JSON.stringify(REQUEST), seed: 1, engine_version: 'v1', rerun_of: null }
  return (await store.backtests.add(serverAuditContext('a test'), row)).id
}
