import { availableParallelism } from 'node:os'
import { type BacktestLabels, type BacktestResult, type NewBacktest, VERSION } from '@binnacle/contract'
import { BACKTEST_REVISION, BUILT_IN_KINDS, INTERVAL_MS, standardInstruments } from '@binnacle/engine'
import { createCustomKind, hashModules } from '@binnacle/sandbox'
import { notFound, Refused } from '#http/problems.ts'
import type { PromotionRow } from '#storage/admin/admin-tables.ts'
import type {
  BacktestFilter,
  BacktestListRow,
  BacktestsStore,
  LabelledBacktest,
} from '#storage/admin/backtests-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { RecordedBars } from '#trading/catalog/catalog.ts'
import type { DataSets } from '#trading/data-sets/data-sets.ts'
import { BarCache } from './bar-cache.ts'
import { checkCapital, countBars } from './check-data.ts'
import { checkRequest, wrong } from './check-request.ts'
import { createLiveBacktest, type LiveBacktest } from './live-backtest.ts'
import type { BacktestPlan } from './plan.ts'
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
}

/** A run with its result. */
export interface CompletedRun {
  row: LabelledBacktest
  result: BacktestResult
}

export interface Backtests {
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
  recorded: RecordedBars
  /** Without it there are no data sets. */
  dataSets?: Pick<DataSets, 'recorded'> | undefined
  /** The user's own strategies. */
  strategiesFolder: string
  /** By default one per CPU. */
  threads?: number
  onFault?: (fault: unknown) => void
}

/** Runs that may be queued or running at a time. */
const MAX_QUEUED = 200
const ENGINE_VERSION = `${VERSION}+${BACKTEST_REVISION}`

export function openBacktests(options: BacktestsOptions): Backtests {
  const { store, recorded, strategiesFolder, onFault = () => {} } = options
  const instruments = standardInstruments()
  const kinds = [...BUILT_IN_KINDS, createCustomKind(strategiesFolder)]
  const pool = createWorkerPool(options.threads ?? availableParallelism(), {
    catalogFolder: recorded.folder,
    strategiesFolder,
  })
  const live = new Map<number, LiveBacktest>()
  const cache = new BarCache()

  function viewOf<Row extends LabelledBacktest>(row: Row): BacktestView<Row> {
    const isDone = row.status === 'completed'
    return { row, progress: isDone ? 1 : (live.get(row.id)?.progress ?? 0) }
  }

  async function queue(
    audit: AuditContext,
    request: NewBacktest,
    rerunOf: number | null,
  ): Promise<BacktestView | Refused> {
    const checked = checkRequest(request, instruments, kinds)
    if (checked instanceof Refused) return checked
    const bars = barsOf(checked)
    if (bars instanceof Refused) return bars
    const { plan } = bars
    const counts = cache.countsOf(plan) ?? (await countBars(plan, bars.recorded))
    if (counts instanceof Refused) return counts
    const refusal = checkCapital(plan, counts, instruments)
    if (refusal !== null) return refusal
    if (live.size >= MAX_QUEUED) return tooMany()
    const row = await store.add(audit, {
      request: JSON.stringify(plan.request),
      seed: request.seed,
      engine_version: versionFor(request, strategiesFolder),
      rerun_of: rerunOf,
    })
    cache.need(plan)
    const run = createLiveBacktest(row.id, plan, { store, pool, cache, onFault })
    live.set(row.id, run)
    cache.noteCounts(plan, counts)
    void run.ended.then(() => {
      live.delete(row.id)
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

  return {
    start: (audit, request) => queue(audit, request, null),
    async rerun(audit, id) {
      const row = await store.find(id)
      return row === undefined ? unknownBacktest(id) : queue(audit, JSON.parse(row.request), id)
    },
    async cancel(audit, id) {
      const outcome = await store.recordCancel(audit, id)
      if (!outcome.ok) return outcome.reason === 'unknown' ? unknownBacktest(id) : ended(id)
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
        if (span !== null) spans.push({ instrument: id, from: span.from, to: span.to + INTERVAL_MS['1m'] })
      }
      return spans
    },
    ended: async (id) => live.get(id)?.ended,
    async close() {
      const left = [...live.values()]
      for (const run of left) run.stop('interrupted')
      await Promise.all(left.map((run) => run.ended))
      await pool.close()
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

function ended(id: number): Refused {
  return new Refused('backtest.ended', `Backtest ${id} has ended and cannot be cancelled.`)
}

function tooMany(): Refused {
  return new Refused(
    'backtest.queue-full',
    `${MAX_QUEUED} backtests are running or queued. Cancel some, or wait until they have ended.`,
  )
}
