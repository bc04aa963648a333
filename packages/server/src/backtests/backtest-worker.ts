import { parentPort, workerData } from 'node:worker_threads'
import { createBacktest, describeReason, instant, standardInstruments } from '@binnacle/engine'
import { openCatalog } from '#catalog/catalog.ts'
import { keepResult } from '#trading/backtests.wire.ts'
import type { BacktestPlan } from './plan.ts'
import { optionsOf } from './run-plan.ts'
import { type LoadedBars, shareBars } from './shared-bars.ts'
import type { BacktestTask, BacktestWorkerOptions, FromBacktest } from './worker-protocol.ts'

/** A thread of the pool: one run after the other, in slices, so that it hears when it is told to stop. */

/** Some tens of milliseconds of work, even when every bar is played. */
const SLICE_ROWS = 8_192
const PROGRESS_EVERY_MS = 100

if (parentPort === null) throw new Error('Backtests run in worker threads')
const port = parentPort
// The pool starts this file with exactly these options.
const { catalogFolder } = workerData as BacktestWorkerOptions
const instruments = standardInstruments()

port.on('message', async (task: BacktestTask) => say(await run(task)))

async function run({ plan, loaded, stop }: BacktestTask): Promise<FromBacktest> {
  const { bars } = loaded ?? (await load(plan))
  if (bars.some(({ length }) => length === 0)) {
    return { kind: 'refused', sentence: 'The bars of the period were removed from the catalog meanwhile.' }
  }
  const made = createBacktest(optionsOf(plan, bars, instruments))
  if (!made.ok) return { kind: 'refused', sentence: describeReason(made.reason) }
  const backtest = made.value
  let toldAt = performance.now()
  while (backtest.done < backtest.rows) {
    if (Atomics.load(stop, 0) !== 0) return { kind: 'stopped' }
    backtest.advance(SLICE_ROWS)
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) continue
    toldAt = performance.now()
    say({ kind: 'progress', progress: backtest.done / backtest.rows })
  }
  return { kind: 'completed', ...keepResult(backtest.report(), instruments) }
}

/** Bars are read here and not by the server's own thread, which has orders to serve. */
async function load(plan: BacktestPlan): Promise<LoadedBars> {
  const catalog = await openCatalog(catalogFolder, instruments)
  const period = { interval: '1m', from: instant(plan.from), to: instant(plan.to) } as const
  const minutes = []
  for (const instrument of plan.instruments) minutes.push(await catalog.readBars({ instrument, ...period }))
  catalog.close()
  const loaded = shareBars(minutes, plan.interval)
  say({ kind: 'loaded', loaded })
  return loaded
}

function say(message: FromBacktest): void {
  port.postMessage(message)
}
