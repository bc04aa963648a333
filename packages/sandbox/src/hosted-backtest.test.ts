import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BacktestReport } from '@binnacle/engine'
import { expect, test, vi } from 'vitest'
import { ATTACKS, BACKTEST_ATTACKS, MORE_ATTACKS, REACHES } from '#testkit/attacks.ts'
import { atBar } from '#testkit/custom-module.ts'
import { hostedModule } from '#testkit/hosted-module.ts'
import { runInLockStep } from '#testkit/lock-step-run.ts'
import { CHILD_LIMITS } from './custom-child.ts'
import {
  HOSTED_LIMITS,
  type HostedBacktestOptions,
  type HostedOutcome,
  runHostedBacktest,
} from './hosted-backtest.ts'

const LIBRARY = readFileSync(join(import.meta.dirname, 'testkit/random-module.ts'), 'utf8')
const HOST = join(import.meta.dirname, 'hosted-backtest.ts')
const TRADES = 'if (Math.random() < 0.2) desk.target(Math.random() < 0.5 ? 0 : 0.01)'

function reportOf(outcome: HostedOutcome | BacktestReport | string): BacktestReport {
  if (typeof outcome === 'string') throw new Error(outcome)
  if (!('kind' in outcome)) return outcome
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
  return outcome.report
}

async function expectSame(options: HostedBacktestOptions): Promise<BacktestReport> {
  const hosted = reportOf(await runHostedBacktest(options))
  expect(hosted).toEqual(reportOf(await runInLockStep(options)))
  return hosted
}

test('[CUST-2] [CUST-24] a backtest inside the process of its module gives the report of the one in lock-step', async () => {
  const options = hostedModule(LIBRARY, { rows: 120 })
  const parameters = { seed: 4, acts: 0.3, quotes: 1, target: 0.5, limit: 0.5, cancel: 0.3, distance: 0.001 }
  Object.assign(options.backtest.strategy.config, { parameters, warm_up_bars: 7 })
  expect((await expectSame(options)).orders).toBeGreaterThan(10)
})

test('[CUST-24] its process loads the sources of the engine as they are', async () => {
  // Without the hooks of tests, with which the engine is one file.
  const thread = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads')
     import(workerData.host).then(({ runHostedBacktest }) => runHostedBacktest(workerData.options))
       .then((outcome) => parentPort.postMessage(outcome.kind === 'completed' ? outcome.report : outcome))`,
    { eval: true, execArgv: [], workerData: { host: HOST, options: hostedModule(atBar(TRADES)) } },
  )
  const [report] = await once(thread, 'message')
  expect(report).toEqual(reportOf(await runHostedBacktest(hostedModule(atBar(TRADES)))))
})

test('[CUST-28] promises of a module run before its next callback in both', async () => {
  const options = hostedModule(`let level = 0
    const later = async (close) => { for (let i = 0; i < 5; i++) await null; level = close }
    export const createStrategy = () => { void later(1); return { onBar(bar, desk) {
      if (level !== 0 && desk.position() === 0 && bar.close > level) desk.target(0.01)
      else if (bar.close < level) desk.target(0)
      void later(bar.close)
    } } }`)
  expect((await expectSame(options)).orders).toBeGreaterThan(10)
})

test('[CUST-4] [CUST-15] [CUST-25] a module in a backtest can change nothing of the language and nothing that it is shown', async () => {
  const attacks = { ...ATTACKS, ...MORE_ATTACKS, ...BACKTEST_ATTACKS }
  const options = hostedModule(`
    const attacks = ${JSON.stringify(attacks)}
    const isRefused = (attack, bar, desk) => {
      try { new Function('bar', 'desk', '"use strict";' + attack)(bar, desk) } catch (thrown) { return thrown instanceof TypeError }
    }
    ${atBar('throw new Error("done: " + Object.keys(attacks).filter((name) => isRefused(attacks[name], bar, desk) !== true))')}`)
  expect(await runHostedBacktest(options)).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(/^mine\.ts failed: Error: done: \(mine\.ts:\d+\)$/),
  })
})

test('[CUST-25] a module that changes its bars, or overflows the stack inside the desk, changes no result but its own', async () => {
  const honest = reportOf(await runHostedBacktest(hostedModule(atBar(TRADES))))
  const hostile = await runHostedBacktest(
    hostedModule(`
    const deep = (desk) => { try { deep(desk) } catch { try { desk.orders(); desk.bid(); desk.quantityFor(1) } catch {} } }
    const hostile = { get price() { throw 1 }, toString() { throw 1 } }
    ${atBar(`${TRADES}
      Object.assign(bar, { close: 1, open: 1, high: 1e9, low: 1, volume: 0, start: 0, end: 0 })
      Object.setPrototypeOf(bar, null)
      globalThis.performance = { now: () => 0 }; globalThis.process = { exit() {} }; globalThis.Buffer = class {}
      globalThis.setImmediate = () => {}; globalThis.S = bar
      deep(desk)
      for (const give of [() => desk.buy(hostile), () => desk.buy(0.01, hostile), () => desk.bid(hostile), () => desk.cancel(hostile)])
        try { give(); throw 2 } catch (thrown) { if (thrown === 2) throw thrown }`)}`),
  )
  expect(reportOf(hostile)).toEqual(honest)
  expect(honest.orders).toBeGreaterThan(3)
})

test('[CUST-4] [CUST-16] [CUST-25] a module in a backtest reaches neither Node, nor the engine, nor a file outside its folder', async () => {
  const engine = new URL('../../engine/src/index.ts', import.meta.url).href
  const attempts = Object.entries(REACHES).map(([name, code]) => `${JSON.stringify(name)}: ${code}`)
  const options = hostedModule(`
    const ENGINE = ${JSON.stringify(engine)}
    const attemptsOf = (desk) => ({ ${attempts.join(', ')} })
    const reached = []
    for (const [name, attempt] of Object.entries(attemptsOf({ buy() {} }))) {
      try { await attempt(); reached.push(name) } catch {}
    }
    ${atBar('throw new Error("reached: " + reached + ("own " + desk.buy.constructor("return typeof process")()))')}`)
  expect(await runHostedBacktest(options)).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(/^mine\.ts failed: Error: reached: own undefined \(mine\.ts:\d+\)$/),
  })
})

test.each([
  [
    'throws',
    atBar('\n\n null.x'),
    "mine.ts failed: TypeError: Cannot read properties of null (reading 'x') (mine.ts:3)",
  ],
  [
    'drops a promise that fails',
    atBar('void Promise.reject(new Error("late"))'),
    'mine.ts failed: Error: late (mine.ts:1)',
  ],
])('[CUST-5] a module that %s fails its backtest with the reason', async (_what, text, reason) => {
  expect(await runHostedBacktest(hostedModule(text))).toEqual({ kind: 'failed', reason })
})

test.each([
  ['loops for ever', atBar('for (;;) {}'), { answerMs: 300 }, 'mine.ts did not answer within 400 ms'],
  [
    'loops after its reply',
    atBar('void (async () => { for (;;) await null })()'),
    { answerMs: 300 },
    'mine.ts did not answer within 400 ms',
  ],
  [
    'never ends its load',
    'await new Promise(() => {})',
    { startMs: 1500 },
    'mine.ts did not answer within 1500 ms',
  ],
  [
    'eats memory',
    atBar('const all = []; for (;;) all.push(new Array(1e5).fill({}))'),
    { heapMb: 48, memoryMb: 300 },
    'mine.ts exceeded its memory limit (48 MB heap, 300 MB in total)',
  ],
  [
    'eats memory outside the heap',
    atBar('const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'),
    { memoryMb: 300 },
    'mine.ts exceeded its memory limit (128 MB heap, 300 MB in total)',
  ],
])(
  '[CUST-5] [CUST-26] a module that %s is ended from outside, with the reason',
  async (_what, text, limits, reason) => {
    expect(await runHostedBacktest(hostedModule(text, { limits }))).toEqual({ kind: 'failed', reason })
  },
)

test('[BT-91] the guide has the limits of callbacks and loads, in live trading and in backtests', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/guide/custom-strategies.md'), 'utf8')
  expect(CHILD_LIMITS).toMatchObject({ startMs: 10_000, answerMs: 1_000 })
  expect(guide).toContain('Live trading: 10 s to load and replay warm-up bars, then 1 s per callback')
  expect(HOSTED_LIMITS).toMatchObject({ startMs: 60_000, answerMs: 10_000 })
  expect(guide).toContain('Backtest: 60 s to load, then 10 s per callback')
})

test('[CUST-27] a backtest whose process is killed is started once more and gives the same report', async () => {
  const options = hostedModule(atBar(TRADES))
  const undisturbed = reportOf(await runHostedBacktest(options))
  const pids: number[] = []
  const outcome = await runHostedBacktest({
    ...options,
    onProcess(pid = 0) {
      pids.push(pid)
      if (pids.length === 1) process.kill(pid, 'SIGKILL')
    },
  })
  expect(reportOf(outcome)).toEqual(undisturbed)
  expect(pids).toHaveLength(2)
})

test('[CUST-27] a backtest whose process is killed again in the middle of the run fails with the reason', async () => {
  const pids: number[] = []
  const options = hostedModule(atBar('if (desk.now > bar.start && Math.random() < 0.2) for (;;) {}'))
  const outcome = await runHostedBacktest({
    ...options,
    onProcess: (pid = 0) => pids.push(pid),
    onProgress(progress) {
      const last = pids.at(-1)
      if (last !== undefined && existsSync(`/proc/${last}`) && progress >= 0) process.kill(last, 'SIGKILL')
    },
  })
  expect(outcome).toEqual({ kind: 'failed', reason: 'mine.ts exited (SIGKILL)' })
  expect(pids).toHaveLength(2)
})

test('[BT-6] a backtest that is stopped ends its process', async () => {
  const stopping = new AbortController()
  const pids: number[] = []
  const outcome = await runHostedBacktest({
    ...hostedModule(atBar('for (;;) {}')),
    signal: stopping.signal,
    onProcess(pid = 0) {
      pids.push(pid)
      setImmediate(() => stopping.abort())
    },
  })
  expect(outcome).toEqual({ kind: 'stopped' })
  await vi.waitFor(() => expect(existsSync(`/proc/${pids[0]}/fd/0`)).toBe(false), { timeout: 45_000 })
})
