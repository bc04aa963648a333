import { parentPort, workerData } from 'node:worker_threads'
import {
  type Backtest,
  type BacktestOptions,
  barStart,
  createBacktest,
  describeReason,
  instant,
  standardInstruments,
} from '@binnacle/engine'
import { type CustomPlayer, openCustomPlayer } from '@binnacle/sandbox'
import type { BacktestPlan } from './plan.ts'
import { baseInterval, optionsOf } from './plan.ts'
import { type LoadedBars, shareBars } from './shared-bars.ts'
import { toStoredResult } from './stored-result.ts'
import type { BacktestTask, BacktestWorkerOptions, FromBacktest } from './worker-protocol.ts'

/** A thread of the pool. Runs backtests one after the other, in slices, between which it checks for a stop. */

/** A few milliseconds of work per slice. */
const SLICE_ROWS = 1_024
/** Per slice for a custom strategy, which is waited for at every bar. */
const SLICE_STEPS = 256
const PROGRESS_EVERY_MS = 100
const LOOK_EVERY_MS = 50

if (parentPort === null) throw new Error('Backtests run in worker threads')
const port = parentPort
// The pool starts this file with exactly these options.
const { catalogFolder, strategiesFolder } = workerData as BacktestWorkerOptions
const instruments = standardInstruments()

port.on('message', async (task: BacktestTask) => post(await run(task)))

async function run(task: BacktestTask): Promise<FromBacktest> {
  const { strategy, seed } = task.plan.request
  if (strategy.type !== 'custom') return play(task, null)
  const player = openCustomPlayer({ folder: strategiesFolder, seed })
  // A module that never replies must not delay a cancel: its process is ended, and the run with it.
  const looking = setInterval(() => {
    if (isStopped(task)) player.close()
  }, LOOK_EVERY_MS)
  const ending = await play(task, player)
  clearInterval(looking)
  player.close()
  return ending
}

async function play(task: BacktestTask, player: CustomPlayer | null): Promise<FromBacktest> {
  const { plan } = task
  const loaded = task.loaded ?? (await load(task))
  if (loaded === null) return { kind: 'stopped' }
  const { bars } = loaded
  if (bars.some(({ length }) => length === 0)) {
    return {
      kind: 'refused',
      sentence: 'The bars of the period were removed from the catalog in the meantime.',
    }
  }
  const made = createBacktest({ ...optionsOf(plan, bars, instruments), ...withCustom(player) })
  if (!made.ok) return { kind: 'refused', sentence: describeReason(made.reason) }
  const cutShort = await advanceAll(made.value, task, player)
  return cutShort ?? { kind: 'completed', ...toStoredResult(made.value.report(), instruments) }
}

/** Returns the ending of a run that ended early, else null. */
async function advanceAll(
  backtest: Backtest,
  task: BacktestTask,
  player: CustomPlayer | null,
): Promise<FromBacktest | null> {
  let reportedAt = performance.now()
  for (;;) {
    if (isStopped(task)) return { kind: 'stopped' }
    const sentence = player?.failure ?? describeFailure(task.plan, backtest)
    if (sentence !== null) return { kind: 'refused', sentence }
    if (backtest.done === backtest.rows) return null
    await advance(backtest, player)
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue
    reportedAt = performance.now()
    post({ kind: 'progress', progress: backtest.done / backtest.rows })
  }
}

/** Names the bar by its start; an event at its very end still belongs to it. */
function describeFailure({ request, interval }: BacktestPlan, { failure }: Backtest): string | null {
  if (failure === null) return null
  const { at, reason } = failure
  const start = barStart(instant(at - 1), interval)
  return `The strategy ${request.strategy.type} failed in the bar of ${new Date(start).toISOString()}: ${reason}.`
}

function withCustom(player: CustomPlayer | null): Pick<BacktestOptions, 'kinds' | 'onEntry'> {
  return player === null ? {} : { kinds: [player.kind], onEntry: (entry) => player.follow(entry) }
}

async function advance(backtest: Backtest, player: CustomPlayer | null): Promise<void> {
  if (player === null) backtest.advance(SLICE_ROWS)
  else await backtest.advanceInStep(SLICE_STEPS, player)
}

function isStopped({ stop }: BacktestTask): boolean {
  return Atomics.load(stop, 0) !== 0
}

/** Bars are read here to keep the API thread free for orders. Returns null when stopped. */
async function load(task: BacktestTask): Promise<LoadedBars | null> {
  const { plan } = task
  // Loaded only here: DuckDB aborts the whole process when a thread that loads it is terminated, and the pool waits for
  // a thread that reads.
  const { openCatalog, openBars } = await import('#trading/catalog/catalog.ts')
  const { dataSet } = plan
  const catalog = await (dataSet === undefined
    ? openCatalog(catalogFolder, instruments)
    : openBars(dataSet.folder, instruments))
  const period = { interval: baseInterval(plan), from: instant(plan.from), to: instant(plan.to) }
  const minutes = []
  for (const instrument of plan.instruments) {
    if (isStopped(task)) break
    minutes.push(await catalog.readBars({ instrument, ...period }))
  }
  catalog.close()
  if (minutes.length < plan.instruments.length) return null
  const loaded = shareBars(minutes, plan.interval, dataSet?.name)
  post({ kind: 'loaded', loaded })
  return loaded
}

function post(message: FromBacktest): void {
  port.postMessage(message)
}
