import { NewBacktest } from '@binnacle/contract'
import { BUILT_IN_KINDS, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import type { BacktestEnding, NodeBacktest, startBacktest } from '@binnacle/nautilus'
import { expect, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { BARS_FROM, newBacktests } from '#testkit/backtests.ts'
import { createNodeBacktests } from './node-backtests.ts'

const AUDIT = serverAuditContext('backtests.start')
const BTC = 'BTCUSDT-PERP'
const RESULT = {
  statistics: {
    total_return: 0,
    cagr: null,
    volatility: null,
    sharpe: null,
    sortino: null,
    calmar: null,
    max_drawdown: 0,
    max_drawdown_seconds: 0,
    trades: 0,
    win_rate: null,
    profit_factor: null,
    expectancy: null,
    exposure_time: 0,
    turnover: 0,
    fees: 0,
    funding: 0,
  },
  final_equity: 1_000,
  equity_curve: [],
  trades: [],
  trades_total: 0,
  bars: 60,
  orders: 0,
  denied_orders: 0,
  open_positions: 0,
  trading_state: 'ACTIVE',
  events: 0,
  events_digest: 'd',
  hash: 'of the other side',
}

interface StartedRun {
  backtest: NodeBacktest
  options: NonNullable<Parameters<typeof startBacktest>[2]>
  end(ending: BacktestEnding): void
  isStopped: boolean
}

/** Backtests whose processes end when the test says so. */
async function newRuns() {
  const started: StartedRun[] = []
  const { store } = await newAdminStore()
  const engine = createNodeBacktests({
    program: { program: 'python', args: [], env: {} },
    version: 'v1+nautilus_trader.1.2.3',
    instruments: standardInstruments(),
    kinds: () => BUILT_IN_KINDS,
    onLine: () => {},
    processes: 1,
    start(_program, backtest, options = {}) {
      const { promise: ended, resolve: end } = Promise.withResolvers<BacktestEnding>()
      const run: StartedRun = { backtest, options, end, isStopped: false }
      started.push(run)
      const stop = () => {
        run.isStopped = true
        end({ kind: 'stopped' })
      }
      return { pid: 1, ended, stop }
    },
  })
  const bars = [walkBars({ instrument: BTC, rows: 60, seed: 3, startAt: BARS_FROM })]
  const runs = await newBacktests(store, { bars, engine })
  return { runs, started }
}

function requestOf(more: object = {}) {
  return NewBacktest.parse({
    strategy: { type: 'momentum', config: { fast_bars: 2, slow_bars: 5 } },
    instrument: BTC,
    from: new Date(BARS_FROM).toISOString(),
    to: new Date(BARS_FROM + 3_600_000).toISOString(),
    initial_cash: 1_000,
    fees: { maker_bps: 1, taker_bps: 2 },
    seed: 7,
    ...more,
  })
}

async function begin({ runs }: Awaited<ReturnType<typeof newRuns>>, more?: object): Promise<number> {
  const view = await runs.start(AUDIT, requestOf(more))
  if (view instanceof Refused) throw new Error(view.detail)
  return view.row.id
}

const result = (more: object = {}): BacktestEnding => ({
  kind: 'result',
  result: { ...RESULT, ...more },
  approximations: ['Funding is not simulated.'],
})

test('[NAUT-160] a run is done by the engine over the bars of the period, and its result is stored with our hash', async () => {
  const all = await newRuns()
  const { runs, started } = all
  const first = await begin(all)
  await expect.poll(() => started.length).toBe(1)
  const { backtest, options } = started[0] as StartedRun
  expect(backtest).toMatchObject({
    capital: 1_000,
    seed: 7,
    strategy: { config: { fast_bars: 2, slow_bars: 5 } },
  })
  expect(backtest.bars.map(({ instrument, length }) => [instrument, length])).toEqual([[BTC, 60]])
  expect(backtest.instruments).toMatchObject([{ id: BTC, makerFeePpm: 100, takerFeePpm: 200 }])
  options.onProgress?.(0.5)
  expect((await runs.find(first))?.progress).toBe(0.5)
  started[0]?.end(result())
  await runs.ended(first)
  const found = await runs.find(first)
  expect(found?.row).toMatchObject({
    status: 'completed',
    engine_version: 'v1+nautilus_trader.1.2.3',
    data_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const stored = JSON.parse(found?.result ?? '')
  expect(stored).toMatchObject({ final_equity: 1_000, approximations: ['Funding is not simulated.'] })
  expect(stored.hash).toMatch(/^[0-9a-f]{64}$/)

  const again = await runs.rerun(AUDIT, first)
  await expect.poll(() => started.length).toBe(2)
  started[1]?.end(result())
  if (again instanceof Refused) throw new Error(again.detail)
  await runs.ended(again.row.id)
  expect(JSON.parse((await runs.find(again.row.id))?.result ?? '').hash).toBe(stored.hash)
})

test('[NAUT-162] a process that dies is started once more; when that one dies too, the run has failed with the reason', async () => {
  const all = await newRuns()
  const { runs, started } = all
  const lucky = await begin(all)
  await expect.poll(() => started.length).toBe(1)
  started[0]?.end({ kind: 'died', how: 'SIGKILL' })
  await expect.poll(() => started.length).toBe(2)
  started[1]?.end(result())
  await runs.ended(lucky)
  expect((await runs.find(lucky))?.row.status).toBe('completed')

  const unlucky = await begin(all)
  for (const nth of [2, 3]) {
    await expect.poll(() => started.length).toBe(nth + 1)
    started[nth]?.end({ kind: 'died', how: 'SIGKILL' })
  }
  await runs.ended(unlucky)
  expect((await runs.find(unlucky))?.row).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('ended twice without a result, last with SIGKILL'),
  })
  const late = await begin(all)
  await expect.poll(() => started.length).toBe(5)
  started[4]?.end({ kind: 'late' })
  await runs.ended(late)
  expect((await runs.find(late))?.row.error).toContain('longer than 6 hours')
  const strange = await begin(all)
  await expect.poll(() => started.length).toBe(6)
  started[5]?.end(result({ final_equity: 'much' }))
  await runs.ended(strange)
  expect((await runs.find(strange))?.row.status).toBe('failed')
})

test('[NAUT-161] a run waits for a free process; a cancelled one never starts, and a running one is ended', async () => {
  const all = await newRuns()
  const { runs, started } = all
  const [first, second, third] = [await begin(all), await begin(all), await begin(all)]
  await expect.poll(() => started.length).toBe(1)
  expect(await runs.cancel(AUDIT, second)).toMatchObject({ row: { status: 'cancelled' } })
  expect(await runs.cancel(AUDIT, first)).toMatchObject({ row: { status: 'cancelled' } })
  expect(started[0]?.isStopped).toBe(true)
  await expect.poll(() => started.length).toBe(2)
  started[1]?.end(result())
  await runs.ended(third)
  expect((await runs.find(third))?.row.status).toBe('completed')
})

test('[NAUT-163] [NAUT-192] what NautilusTrader cannot run is refused before anything is queued, and says so', async () => {
  const { runs, started } = await newRuns()
  const refusalOf = async (more: object) => {
    const answer = await runs.start(AUDIT, requestOf(more))
    return answer instanceof Refused ? answer.detail : answer
  }
  const custom = { strategy: { type: 'custom', config: { module: 'mine.ts' } } }
  expect(await refusalOf(custom)).toBe(
    'NautilusTrader does not run modules of the strategies folder. Use the embedded engine for them.',
  )
  expect(await refusalOf({ data_set: 'btc-2024' })).toContain('Use the embedded engine for data sets.')
  expect(await refusalOf({ strategy: { type: 'momentum', config: { fast_bars: 90 } } })).toContain(
    'must be below Slow average (bars)',
  )
  expect(await refusalOf({ initial_cash: 40_000_001 })).toContain('begin with at most 40,000,000 USDT')
  const sweep = await runs.sweeps.start(AUDIT, {
    base: requestOf(),
    parameters: { fast_bars: { values: [2, 3] } },
    measure: 'sharpe',
  })
  expect(sweep).toMatchObject({ detail: expect.stringContaining('Sweeps run in the embedded engine only') })
  expect([started, await runs.list(10, { isArchived: false })]).toEqual([[], []])
})
