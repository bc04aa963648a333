import { availableParallelism } from 'node:os'
import type { BacktestLabels, BacktestResult, NewBacktest } from '@binnacle/contract'
import { BUILT_IN_KINDS, INTERVAL_MS, type LookAheadReport, standardInstruments } from '@binnacle/engine'
import { createCustomKind, hashModules } from '@binnacle/sandbox'
import { notFound, Refused } from '#http/problems.ts'
import type { PromotionRow } from '#storage/admin/admin-tables.ts'
import type {
  BacktestFilter,
  BacktestListRow,
  BacktestsStore,
  LabelledBacktest,
} from '#storage/admin/backtests-store.ts'
import type { ModulesStore } from '#storage/admin/modules-store.ts'
import type { SweepsStore } from '#storage/admin/sweeps-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { RecordedBars } from '#trading/catalog/catalog.ts'
import type { DataSets } from '#trading/data-sets/data-sets.ts'
import { type BacktestEngine, runOnEngine } from './backtest-engine.ts'
import { BarCache } from './bar-cache.ts'
import { type BarCounts, checkCapital, countBars } from './check-data.ts'
import { checkRequest, labelOf, wrong } from './check-request.ts'
import { ENGINE_VERSION } from './engine-version.ts'
import { createLiveBacktest, type LiveBacktest } from './live-backtest.ts'
import type { BacktestPlan } from './plan.ts'
import {
  type BacktestRunner,
  type PlanResources,
  type PlanRun,
  type PlanRunOptions,
  readPlan,
  runPlan,
} from './plan-run.ts'
import { QueueLimit } from './queue-limit.ts'
import { runRemotely } from './remote/remote-run.ts'
import type { WorkQueue } from './remote/work-queue.ts'
import { createStrategyModules, type StrategyModules } from './strategy-modules.ts'
import { createSweeps, type Sweeps } from './sweeps.ts'
import { createWorkerPool } from './worker-pool.ts'

/** A record and how far its run is. */
export interface BacktestView<Row extends LabelledBacktest = LabelledBacktest> {
  row: Row
  progress: number
}

/** The minutes recorded of an instrument, the end of the last one included. */
export interface RecordedSpan {
  instrument: string
  from: number
  to: number
  /** Time between them without bars. */
  missingMs: number
}

/** A run with its result. */
export interface CompletedRun {
  row: LabelledBacktest
  result: BacktestResult
}

export interface Backtests {
  readonly sweeps: Sweeps
  readonly modules: StrategyModules
  /** False where another engine runs them. */
  readonly hasSweeps: boolean
  /** Undefined where runs are on threads of this process. */
  readonly workQueue: WorkQueue | undefined
  /** BT-42 */
  checkLookAhead(id: number, signal: AbortSignal): Promise<LookAheadReport | Refused>
  /** Queues a run, or refuses it with the reason. */
  start(audit: AuditContext, request: NewBacktest): Promise<BacktestView | Refused>
  /** Queues the request of a record again. */
  rerun(audit: AuditContext, id: number): Promise<BacktestView | Refused>
  cancel(audit: AuditContext, id: number): Promise<BacktestView | Refused>
  list(limit: number, filter: BacktestFilter): Promise<BacktestView<BacktestListRow>[]>
  find(id: number): Promise<(BacktestView & { result: string | null }) | undefined>
  /** BT-32: beside the record, which stays as it is. */
  label(audit: AuditContext, id: number, labels: BacktestLabels): Promise<Refused | null>
  /** BT-33: keeps the run with the strategy that was made of it. */
  promote(audit: AuditContext, run: CompletedRun, strategy: string): Promise<void>
  promotions(): Promise<PromotionRow[]>
  /** Of each instrument with bars. */
  recorded(): Promise<RecordedSpan[]>
  /** Resolves when a run is over, at once when it is already. */
  ended(id: number): Promise<void>
  /** Interrupts running backtests. */
  close(): Promise<void>
}

export interface BacktestsOptions {
  store: BacktestsStore
  sweepsStore: SweepsStore
  modulesStore: ModulesStore
  recorded: RecordedBars
  /** Without it there are no data sets. */
  dataSets?: Pick<DataSets, 'recorded'> | undefined
  /** The user's own strategies. */
  strategiesFolder: string
  /** By default one per CPU. */
  threads?: number
  /** Runs them instead of the embedded engine, without sweeps and the user's own strategies. */
  engine?: BacktestEngine | undefined
  /** BT-46: without it, runs are on threads of this process. */
  workQueue?: WorkQueue | undefined
  /** Queued and running ones, shared by the engines of a server. */
  live?: Map<number, LiveBacktest>
  /** Shared like them. */
  limit?: QueueLimit
  onFault?: (fault: unknown) => void
}

/** Runs of a sweep that are in the queue of the workers at a time. */
const MAX_SENT = 64

export function openBacktests(options: BacktestsOptions): Backtests {
  const { store, recorded, strategiesFolder, engine, onFault = () => {} } = options
  // Workers of other machines run the embedded engine.
  const workQueue = engine === undefined ? options.workQueue : undefined
  const instruments = engine?.instruments ?? standardInstruments()
  const ownKinds = [...BUILT_IN_KINDS, createCustomKind(strategiesFolder)]
  const threads = options.threads ?? availableParallelism()
  const folders = { catalogFolder: recorded.folder, strategiesFolder, instruments: engine?.instruments.all }
  const pool = createWorkerPool(threads, folders)
  /** A person waits for a single run, and nobody for a set of a sweep. A cache belongs to one pool. */
  const forSweeps = {
    pool: createWorkerPool(threads, { ...folders, isLowPriority: true }),
    cache: new BarCache(),
  }
  const { live = new Map<number, LiveBacktest>(), limit = new QueueLimit() } = options
  const cache = new BarCache()

  /** On a worker of another machine where there is a queue, else on the threads. */
  function runOn(resources: PlanResources): (plan: BacktestPlan, run?: PlanRunOptions) => PlanRun {
    const runHere = (plan: BacktestPlan, run?: PlanRunOptions) => runPlan(plan, resources, run)
    const read = (plan: BacktestPlan) => readPlan(plan, resources)
    if (engine !== undefined) return (plan, run) => runOnEngine(plan, { engine, read }, run)
    if (workQueue === undefined) return runHere
    const remote = { queue: workQueue, runHere, read, strategiesFolder }
    return (plan, run = {}) => runRemotely(plan, remote, run)
  }

  function viewOf<Row extends LabelledBacktest>(row: Row): BacktestView<Row> {
    const isDone = row.status === 'completed'
    return { row, progress: isDone ? 1 : (live.get(row.id)?.progress ?? 0) }
  }

  /** A plan whose bars are there. */
  async function prepare(request: NewBacktest): Promise<{ plan: BacktestPlan; counts: BarCounts } | Refused> {
    const bars = check(request)
    if (bars instanceof Refused) return bars
    const { plan } = bars
    const counts = cache.countsOf(plan) ?? (await countBars(plan, bars.recorded))
    if (counts instanceof Refused) return counts
    return checkCapital(plan, counts, instruments) ?? { plan, counts }
  }

  function check(request: NewBacktest): PlannedBars | Refused {
    const refusal = engine?.checkRequest(request)
    if (refusal) return refusal
    const plan = checkRequest(request, instruments, engine?.kinds ?? ownKinds)
    return plan instanceof Refused ? plan : barsOf(plan)
  }

  async function queue(
    audit: AuditContext,
    request: NewBacktest,
    rerunOf: number | null,
  ): Promise<BacktestView | Refused> {
    const prepared = await prepare(request)
    if (prepared instanceof Refused) return prepared
    const { plan, counts } = prepared
    const leave = limit.takeBacktest()
    if (leave instanceof Refused) return leave
    const stored = store.add(audit, {
      request: JSON.stringify(plan.request),
      seed: request.seed,
      engine_version: engine?.version ?? versionFor(request, strategiesFolder),
      rerun_of: rerunOf,
    })
    stored.catch(leave)
    const row = await stored
    cache.need(plan)
    const run = createLiveBacktest(row.id, plan, { store, run: runOn({ pool, cache }), onFault })
    live.set(row.id, run)
    cache.noteCounts(plan, counts)
    void run.ended.then(() => {
      live.delete(row.id)
      leave()
      cache.leave(plan)
    })
    return viewOf(row)
  }

  /** The bars of the market, or of the data set that the request names. */
  function barsOf(plan: BacktestPlan): PlannedBars | Refused {
    const name = plan.request.data_set
    if (name === undefined) return { plan, recorded }
    const found = options.dataSets?.recorded(name) ?? unknownDataSet(name)
    if (found instanceof Refused) return found
    if (INTERVAL_MS[plan.interval] < INTERVAL_MS[found.interval])
      return wrong(
        'interval',
        `The data set '${name}' has bars of ${found.interval}; a run over bars of ${plan.interval} needs shorter ones.`,
      )
    const { folder, interval, version } = found
    return { plan: { ...plan, dataSet: { name, folder, interval, version } }, recorded: found }
  }

  const runner: BacktestRunner = {
    threads: workQueue === undefined ? threads : MAX_SENT,
    labelOf(type, parameter) {
      const kind = (engine?.kinds ?? ownKinds).find((known) => known.type === type)
      return labelOf(kind?.parameters ?? [], parameter)
    },
    check(request) {
      const bars = check(request)
      return bars instanceof Refused ? bars : bars.plan
    },
    async prepare(request) {
      const prepared = await prepare(request)
      return prepared instanceof Refused ? prepared : prepared.plan
    },
    run: (plan) => runOn(forSweeps)(plan, { work: 'figures' }),
    keepBars(plan) {
      forSweeps.cache.need(plan)
      return () => forSweeps.cache.leave(plan)
    },
  }
  const ownSweeps = createSweeps({ store: options.sweepsStore, runner, limit, onFault })
  const sweeps = engine === undefined ? ownSweeps : { ...ownSweeps, start: async () => notOffered('Sweeps') }

  return {
    sweeps,
    hasSweeps: engine === undefined,
    workQueue,
    modules: createStrategyModules(strategiesFolder, options.modulesStore),
    async checkLookAhead(id, signal) {
      const row = await store.find(id)
      if (row === undefined) return unknownBacktest(id)
      if (engine !== undefined) return notOffered('Look-ahead checks')
      const plan = await runner.prepare(JSON.parse(row.request))
      if (plan instanceof Refused) return plan
      if (plan.request.strategy.type === 'custom') return notChecked()
      cache.need(plan)
      const run = runPlan(plan, { pool, cache }, { work: 'look-ahead' })
      signal.addEventListener('abort', () => run.stop())
      const ending = await run.ended
      cache.leave(plan)
      if (ending.kind === 'checked') return ending.report
      if (ending.kind === 'refused') return new Refused('engine.refused', ending.sentence)
      if (ending.kind === 'stopped') return new Refused('job.cancelled', 'The check was stopped.')
      throw 'fault' in ending ? ending.fault : new Error('The check ended without a report')
    },
    start: (audit, request) => queue(audit, request, null),
    async rerun(audit, id) {
      const row = await store.find(id)
      return row === undefined ? unknownBacktest(id) : queue(audit, JSON.parse(row.request), id)
    },
    async cancel(audit, id) {
      const outcome = await store.recordCancel(audit, id)
      if (!outcome.ok) return outcome.reason === 'unknown' ? unknownBacktest(id) : backtestEnded(id)
      const run = live.get(id)
      run?.stop('cancelled')
      await run?.ended
      return viewOf((await store.find(id)) ?? outcome.value)
    },
    list: async (limit, filter) => (await store.list(limit, filter)).map(viewOf),
    async find(id) {
      const row = await store.find(id)
      if (row === undefined) return undefined
      const stored = row.status === 'completed' ? await store.resultOf(id) : undefined
      return { ...viewOf(row), result: stored?.result ?? null }
    },
    async label(audit, id, { tags, note, archived }) {
      const columns = { tags: JSON.stringify(tags), note, archived: archived ? 1 : 0 } as const
      const outcome = await store.label(audit, id, columns)
      if (outcome.ok) return null
      if (outcome.reason === 'unknown') return unknownBacktest(id)
      return wrong('archived', `Backtest ${id} has not ended. Cancel it first, or wait until it has ended.`)
    },
    promote: (audit, { row, result }, strategy) =>
      store.promote(audit, {
        strategy_id: strategy,
        backtest_id: row.id,
        hash: result.hash,
        results: JSON.stringify(result.trades.map(({ pnl }) => pnl)),
      }),
    promotions: () => store.promotions(),
    async recorded() {
      const spans: RecordedSpan[] = []
      for (const { id } of instruments.all) {
        const span = await recorded.spanOf(id)
        if (span === null) continue
        const to = span.to + INTERVAL_MS['1m']
        const missingMs = to - span.from - span.bars * INTERVAL_MS['1m']
        spans.push({ instrument: id, from: span.from, to, missingMs })
      }
      return spans
    },
    ended: async (id) => live.get(id)?.ended,
    async close() {
      const left = [...live.values()]
      for (const run of left) run.stop('interrupted')
      await sweeps.close()
      await Promise.all(left.map((run) => run.ended))
      await Promise.all([pool.close(), forSweeps.pool.close()])
    },
  }
}

/** Includes a hash of the user's modules, as they are part of what ran. */
function versionFor({ strategy }: NewBacktest, strategiesFolder: string): string {
  return strategy.type === 'custom'
    ? `${ENGINE_VERSION}+custom.${hashModules(strategiesFolder)}`
    : ENGINE_VERSION
}

interface PlannedBars {
  readonly plan: BacktestPlan
  readonly recorded: Pick<RecordedBars, 'count' | 'spanOf'>
}

function unknownDataSet(name: string): Refused {
  return notFound('data set', name, { field: 'body.data_set', list: 'GET /api/market/data-sets' })
}

export function unknownBacktest(id: number | string): Refused {
  return notFound('backtest', String(id), { list: 'GET /api/nautilus/backtests' })
}

function backtestEnded(id: number): Refused {
  return new Refused('backtest.ended', `Backtest ${id} has ended and cannot be cancelled.`)
}

function notChecked(): Refused {
  return new Refused(
    'engine.refused',
    'The look-ahead check is for the built-in types of strategies. A custom module receives each bar only when it is complete.',
  )
}

function notOffered(what: string): Refused {
  return new Refused(
    'engine.refused',
    `${what} run in the embedded engine only: NautilusTrader starts a process for each run. Use the embedded engine for them.`,
  )
}
