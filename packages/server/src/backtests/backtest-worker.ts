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
import { openCatalog } from '#catalog/catalog.ts'
import { type CustomPlayer, openCustomPlayer } from '#runtime/custom/lock-step.ts'
import { keepResult } from '#trading/backtests.wire.ts'
import type { BacktestPlan } from './plan.ts'
import { optionsOf } from './run-plan.ts'
import { type LoadedBars, shareBars } from './shared-bars.ts'
import type { BacktestTask, BacktestWorkerOptions, FromBacktest } from './worker-protocol.ts'

/** A thread of the pool: one run after the other, in slices, so that it hears when it is told to stop. */

/** Some milliseconds of work, even when every bar is played. */
const SLICE_ROWS = 1_024
/** The same for a strategy that is waited for at every bar. */
const STEPS = 256
const PROGRESS_EVERY_MS = 100
const LOOK_EVERY_MS = 50

if (parentPort === null) throw new Error('Backtests run in worker threads')
const port = parentPort
// The pool starts this file with exactly these options.
const { catalogFolder, strategiesFolder } = workerData as BacktestWorkerOptions
const instruments = standardInstruments()

port.on('message', async (task: BacktestTask) => say(await run(task)))

async function run(task: BacktestTask): Promise<FromBacktest> {
  const { strategy, seed } = task.plan.request
  if (strategy.type !== 'custom') return play(task, null)
  const player = openCustomPlayer({ folder: strategiesFolder, seed })
  // A module that never answers must not keep a cancel waiting: its process is ended, and the run with it.
  const looking = setInterval(() => {
    if (isStopped(task)) player.close()
  }, LOOK_EVERY_MS)
  const ending = await play(task, player)
  clearInterval(looking)
  player.close()
  return ending
}

async function play(task: BacktestTask, player: CustomPlayer | null): Promise<FromBacktest> {
  const { plan, loaded } = task
  const { bars } = loaded ?? (await load(plan))
  if (bars.some(({ length }) => length === 0)) {
    return { kind: 'refused', sentence: 'The bars of the period were removed from the catalog meanwhile.' }
  }
  const made = createBacktest({ ...optionsOf(plan, bars, instruments), ...withCustom(player) })
  if (!made.ok) return { kind: 'refused', sentence: describeReason(made.reason) }
  const cutShort = await advanceAll(made.value, task, player)
  return cutShort ?? { kind: 'completed', ...keepResult(made.value.report(), instruments) }
}

/** Returns what ended the run before its bars did. */
async function advanceAll(
  backtest: Backtest,
  task: BacktestTask,
  player: CustomPlayer | null,
): Promise<FromBacktest | null> {
  let toldAt = performance.now()
  for (;;) {
    if (isStopped(task)) return { kind: 'stopped' }
    const sentence = player?.failure ?? tellFailure(task.plan, backtest)
    if (sentence !== null) return { kind: 'refused', sentence }
    if (backtest.done === backtest.rows) return null
    await advance(backtest, player)
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) continue
    toldAt = performance.now()
    say({ kind: 'progress', progress: backtest.done / backtest.rows })
  }
}

/** A bar is known by when it began; what happens at the very end of one is still its doing. */
function tellFailure({ request, interval }: BacktestPlan, { failure }: Backtest): string | null {
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
  else await backtest.advanceInStep(STEPS, player)
}

function isStopped({ stop }: BacktestTask): boolean {
  return Atomics.load(stop, 0) !== 0
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
