import { availableParallelism } from 'node:os'
import { type BacktestStatus, type NewBacktest, VERSION } from '@binnacle/contract'
import { BACKTEST_REVISION, BUILT_IN_KINDS, standardInstruments } from '@binnacle/engine'
import type { Act } from '#audit/act.ts'
import type { RecordedBars } from '#catalog/catalog.ts'
import { Refused } from '#http/problems.ts'
import { createCustomKind } from '#runtime/custom/custom-kind.ts'
import { printOfModules } from '#runtime/custom/module-file.ts'
import type { BacktestRow } from '#storage/admin/admin-tables.ts'
import type { BacktestListRow, BacktestsStore } from '#storage/admin/backtests-store.ts'
import { BarShelf } from './bar-shelf.ts'
import { checkCapital, countBars } from './check-data.ts'
import { checkRequest } from './check-request.ts'
import { createLiveBacktest, type LiveBacktest } from './live-backtest.ts'
import { createWorkerPool } from './worker-pool.ts'

/** A record and how far its run is. */
export interface BacktestView<Row extends BacktestRow = BacktestRow> {
  row: Row
  progress: number
}

export interface Backtests {
  /** Queues a run, or says why it cannot be. */
  start(act: Act, request: NewBacktest): Promise<BacktestView | Refused>
  /** Queues the request of a record again. */
  rerun(act: Act, id: number): Promise<BacktestView | Refused>
  cancel(act: Act, id: number): Promise<BacktestView | Refused>
  list(limit: number, status?: BacktestStatus): Promise<BacktestView<BacktestListRow>[]>
  find(id: number): Promise<(BacktestView & { result: string | null }) | undefined>
  /** Resolves when a run is over, at once when it is already. */
  ended(id: number): Promise<void>
  /** Interrupts what is under way. */
  close(): Promise<void>
}

export interface BacktestsOptions {
  store: BacktestsStore
  recorded: RecordedBars
  /** The user's own strategies. */
  strategiesFolder: string
  /** As many as there are processors, unless told otherwise. */
  threads?: number
  onFault?: (fault: unknown) => void
}

/** More than these wait for nobody's patience. */
const WAITING_MAX = 200
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
  const shelf = new BarShelf()

  function viewOf<Row extends BacktestRow>(row: Row): BacktestView<Row> {
    const isDone = row.status === 'completed'
    return { row, progress: isDone ? 1 : (live.get(row.id)?.progress ?? 0) }
  }

  async function queue(
    act: Act,
    request: NewBacktest,
    rerunOf: number | null,
  ): Promise<BacktestView | Refused> {
    const plan = checkRequest(request, instruments, kinds)
    if (plan instanceof Refused) return plan
    const counts = shelf.countsOf(plan) ?? (await countBars(plan, recorded))
    if (counts instanceof Refused) return counts
    const refusal = checkCapital(plan, counts, instruments)
    if (refusal !== null) return refusal
    if (live.size >= WAITING_MAX) return tooMany()
    const row = await store.add(act, {
      request: JSON.stringify(plan.request),
      seed: request.seed,
      engine_version: versionFor(request, strategiesFolder),
      rerun_of: rerunOf,
    })
    shelf.need(plan)
    const run = createLiveBacktest(row.id, plan, { store, pool, shelf, onFault })
    live.set(row.id, run)
    shelf.noteCounts(plan, counts)
    void run.ended.then(() => {
      live.delete(row.id)
      shelf.leave(plan)
    })
    return viewOf(row)
  }

  return {
    start: (act, request) => queue(act, request, null),
    async rerun(act, id) {
      const row = await store.find(id)
      return row === undefined ? unknown(id) : queue(act, JSON.parse(row.request), id)
    },
    async cancel(act, id) {
      const outcome = await store.recordCancel(act, id)
      if (!outcome.ok) return outcome.reason === 'unknown' ? unknown(id) : ended(id)
      const run = live.get(id)
      run?.stop('cancelled')
      await run?.ended
      return viewOf((await store.find(id)) ?? outcome.value)
    },
    list: async (limit, status) => (await store.list(limit, status)).map(viewOf),
    async find(id) {
      const row = await store.find(id)
      if (row === undefined) return undefined
      const kept = row.status === 'completed' ? await store.resultOf(id) : undefined
      return { ...viewOf(row), result: kept?.result ?? null }
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

/** A module is part of what ran: a record says which text of it that was. */
function versionFor({ strategy }: NewBacktest, strategiesFolder: string): string {
  return strategy.type === 'custom'
    ? `${ENGINE_VERSION}+custom.${printOfModules(strategiesFolder)}`
    : ENGINE_VERSION
}

export function unknown(id: number | string): Refused {
  return new Refused('thing.unknown', `There is no backtest ${id}.`)
}

function ended(id: number): Refused {
  return new Refused('backtest.ended', `Backtest ${id} has ended and cannot be cancelled.`)
}

function tooMany(): Refused {
  return new Refused(
    'backtest.queue-full',
    `${WAITING_MAX} backtests are running or waiting. Cancel some of them, or wait until they are through.`,
  )
}
