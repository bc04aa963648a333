import { execFileSync } from 'node:child_process'
import { NewBacktest } from '@binnacle/contract'
import { BUILT_IN_KINDS, standardInstruments } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { recordedBars } from '#testkit/backtests.ts'
import { openCatalog } from '#trading/catalog/catalog.ts'
import { checkRequest } from './check-request.ts'
import type { BacktestPlan } from './plan.ts'
import { createWorkerPool, type PooledRun } from './worker-pool.ts'

test('[BT-6] a thread is not terminated while it reads bars, which would abort the process', async () => {
  const pool = createWorkerPool(1, { catalogFolder: await recordedFolder(), strategiesFolder: '' })
  onTestFinished(() => pool.close())
  const messages: string[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const run: PooledRun = {
    isReady: () => true,
    task: () => ({ plan: aPlan(), loaded: null, stop: new Int32Array(new SharedArrayBuffer(4)) }),
    onMessage({ kind }) {
      messages.push(kind)
      if (kind === 'completed') resolve()
    },
    onFault: () => resolve(),
  }
  pool.add(run)
  pool.terminate(run)
  await ended
  expect(messages[0]).toBe('loaded')
})

test('[BT-6] a run that is stopped before its bars are read does not read them', async () => {
  const pool = createWorkerPool(1, { catalogFolder: await recordedFolder(), strategiesFolder: '' })
  onTestFinished(() => pool.close())
  const { promise: first, resolve, reject } = Promise.withResolvers<string>()
  pool.add({
    isReady: () => true,
    task: () => ({ plan: aPlan(), loaded: null, stop: new Int32Array(new SharedArrayBuffer(4)).fill(1) }),
    onMessage: ({ kind }) => resolve(kind),
    onFault: reject,
  })
  expect(await first).toBe('stopped')
})

test('[BT-6] ending the thread under a run that has stopped meanwhile leaves the next run alone', async () => {
  const pool = createWorkerPool(1, { catalogFolder: await recordedFolder(), strategiesFolder: '' })
  onTestFinished(() => pool.close())
  const { promise: ending, resolve } = Promise.withResolvers<string>()
  const stopped: PooledRun = {
    isReady: () => true,
    task: () => ({ plan: aPlan(), loaded: null, stop: new Int32Array(new SharedArrayBuffer(4)).fill(1) }),
    onMessage: () => {},
    onFault: () => {},
  }
  pool.add(stopped)
  pool.add({
    isReady: () => true,
    task: () => ({ plan: aPlan(), loaded: null, stop: new Int32Array(new SharedArrayBuffer(4)) }),
    onMessage: ({ kind }) => kind === 'completed' && resolve(kind),
    onFault: (fault) => resolve(String(fault)),
  })
  pool.terminate(stopped)
  expect(await ending).toBe('completed')
})

test('[BT-6] a thread whose bars are loaded already never loads DuckDB, so it can be ended at any time', () => {
  const worker = new URL('./backtest-worker.ts', import.meta.url).href
  const script = `
    import { Worker } from 'node:worker_threads'
    const workerData = { catalogFolder: '', strategiesFolder: '' }
    const thread = new Worker(new URL(${JSON.stringify(worker)}), { workerData, execArgv: [] })
    thread.on('message', ({ kind }) => {
      const { sharedObjects } = process.report.getReport()
      console.log(kind, sharedObjects.filter((name) => name.includes('duckdb')).length)
      process.exit()
    })
    const plan = { request: { strategy: { type: 'momentum' }, seed: 1 } }
    const stop = new Int32Array(new SharedArrayBuffer(4))
    thread.postMessage({ plan, loaded: { bars: [{ length: 0 }], fingerprint: '' }, stop })`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(output).toBe('refused 0\n')
})

async function recordedFolder(): Promise<string> {
  const folder = temporaryFolder()
  const catalog = await openCatalog(folder, standardInstruments())
  for (const bars of recordedBars()) await catalog.writeBars(bars)
  catalog.close()
  return folder
}

function aPlan(): BacktestPlan {
  const request = NewBacktest.parse({
    strategy: { type: 'market_making', config: {} },
    instrument: 'BTCUSDT',
    from: '2026-01-05T00:00:00Z',
    to: '2026-01-07T00:00:00Z',
  })
  const plan = checkRequest(request, standardInstruments(), BUILT_IN_KINDS)
  if (plan instanceof Refused) throw new Error('The request of this test is refused')
  return plan
}
