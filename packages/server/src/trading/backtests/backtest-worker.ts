import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import {
  type Backtest,
  type BacktestOptions,
  type BacktestReport,
  type BarColumns,
  barStart,
  checkLookAhead,
  createBacktest,
  createInstruments,
  type DecidingRun,
  decisionsIn,
  describeReason,
  instantFromMs,
  standardInstruments,
} from '@binnacle/engine'
import type { BacktestPlan } from './plan.ts'
import { baseInterval, optionsOf } from './plan.ts'
import { type LoadedBars, shareBars } from './shared-bars.ts'
import { toFigures, toStoredResult } from './stored-result.ts'
import type { BacktestTask, BacktestWorkerOptions, FromBacktest } from './worker-protocol.ts'

/** A thread of the pool. Runs backtests one after the other, in slices, between which it checks for a stop. */

/** A few milliseconds of work per slice. */
const SLICE_ROWS = 1_024
const PROGRESS_EVERY_MS = 100
const LOOK_EVERY_MS = 50
/** Bars of a look-ahead check, which a person waits for. */
const CHECKED_ROWS = 50_000
/** The lowest priority: a sweep uses what orders and health leave. */
const NICENESS = 19

if (parentPort === null) throw new Error('Backtests run in worker threads')
const port = parentPort
// The pool starts this file with exactly these options.
const { catalogFolder, strategiesFolder, isLowPriority, ...given } = workerData as BacktestWorkerOptions
const instruments = given.instruments ? createInstruments(given.instruments) : standardInstruments()

port.on('message', async (task: BacktestTask) => post(await run(task)))

async function run(task: BacktestTask): Promise<FromBacktest> {
  const loaded = task.loaded ?? (await load(task))
  if (loaded === null) return { kind: 'stopped' }
  if (loaded.bars.some(({ length }) => length === 0)) {
    return {
      kind: 'refused',
      sentence: 'The bars of the period were removed from the catalog in the meantime.',
    }
  }
  if (task.work === 'read') return { kind: 'read' }
  // Loaded for custom strategies only, as it costs every other thread a tenth of a second.
  const sandbox = task.plan.request.strategy.type === 'custom' ? await import('@binnacle/sandbox') : undefined
  // Not before: on a busy machine a thread of low priority takes long to load its sources and bars.
  if (isLowPriority) lowerPriority()
  if (task.work === 'look-ahead') return check(task, loaded.bars)
  const backtest = optionsOf(task.plan, loaded.bars, instruments)
  return sandbox === undefined ? play(task, backtest) : playHosted(sandbox, task, backtest)
}

type Sandbox = typeof import('@binnacle/sandbox')

/** A custom strategy runs with its bars and the engine in the sealed process of its module. */
async function playHosted(
  { runHostedBacktest }: Sandbox,
  task: BacktestTask,
  backtest: BacktestOptions,
): Promise<FromBacktest> {
  const stopping = new AbortController()
  const looking = setInterval(() => {
    if (isStopped(task)) stopping.abort()
  }, LOOK_EVERY_MS)
  const onProgress = (progress: number) => post({ kind: 'progress', progress })
  const { signal } = stopping
  const folder = task.strategiesFolder ?? strategiesFolder
  const outcome = await runHostedBacktest({ folder, backtest, onProgress, signal }).finally(() =>
    clearInterval(looking),
  )
  if (outcome.kind === 'stopped') return { kind: 'stopped' }
  if (outcome.kind === 'failed') return { kind: 'refused', sentence: outcome.reason }
  return endingOf(task, outcome.report)
}

function play(task: BacktestTask, options: BacktestOptions): FromBacktest {
  const made = createBacktest(options)
  if (!made.ok) return { kind: 'refused', sentence: describeReason(made.reason) }
  const cutShort = advanceAll(made.value, task)
  return cutShort ?? endingOf(task, made.value.report())
}

function endingOf({ work }: BacktestTask, report: BacktestReport): FromBacktest {
  return work === 'figures'
    ? { kind: 'figures', figures: toFigures(report, instruments) }
    : { kind: 'completed', ...toStoredResult(report, instruments) }
}

/** BT-42 */
async function check(task: BacktestTask, bars: readonly BarColumns[]): Promise<FromBacktest> {
  const { plan } = task
  const runs: Backtest[] = []
  const open = (shown: readonly BarColumns[]): DecidingRun => {
    const decisions: string[] = []
    const made = createBacktest({
      ...optionsOf(plan, shown, instruments),
      onEntry: (entry) => decisions.push(...decisionsIn(entry)),
    })
    if (!made.ok) throw new Error(describeReason(made.reason))
    runs.push(made.value)
    return Object.assign(made.value, { decisions })
  }
  const report = await checkLookAhead({
    bars,
    open,
    maxRows: CHECKED_ROWS,
    isStopped: () => isStopped(task),
    onProgress: (progress) => post({ kind: 'progress', progress }),
  })
  if (report === null) return { kind: 'stopped' }
  const sentence = runs.map((run) => describeFailure(plan, run)).find((text) => text !== null)
  return sentence == null ? { kind: 'checked', report } : { kind: 'refused', sentence }
}

/** Returns the ending of a run that ended early, else null. */
function advanceAll(backtest: Backtest, task: BacktestTask): FromBacktest | null {
  let reportedAt = performance.now()
  for (;;) {
    if (isStopped(task)) return { kind: 'stopped' }
    const sentence = describeFailure(task.plan, backtest)
    if (sentence !== null) return { kind: 'refused', sentence }
    if (backtest.done === backtest.rows) return null
    backtest.advance(SLICE_ROWS)
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue
    reportedAt = performance.now()
    post({ kind: 'progress', progress: backtest.done / backtest.rows })
  }
}

/** Names the bar by its start; an event at its very end still belongs to it. */
function describeFailure({ request, interval }: BacktestPlan, { failure }: Backtest): string | null {
  if (failure === null) return null
  const { at, reason } = failure
  const start = barStart(instantFromMs(at - 1), interval)
  return `The strategy ${request.strategy.type} failed in the bar of ${new Date(start).toISOString()}: ${reason}.`
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
  const period = { interval: baseInterval(plan), from: instantFromMs(plan.from), to: instantFromMs(plan.to) }
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

/** Threads of Linux have a priority of their own: orders and health come first. Elsewhere nothing changes. */
function lowerPriority(): void {
  try {
    const [, thread] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), NICENESS)
  } catch {
    // A system without such a file has no such priority.
  }
}
