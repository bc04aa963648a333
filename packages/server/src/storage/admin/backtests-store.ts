import assert from 'node:assert/strict'
import type { BacktestStatus } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import { sql } from 'kysely'
import { type AuditChange, type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type {
  AdminDb,
  BacktestLabelsRow,
  BacktestResultRow,
  BacktestRow,
  PromotionRow,
} from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

export type NewBacktestRow = Pick<BacktestRow, 'request' | 'seed' | 'engine_version' | 'rerun_of'>
export type BacktestEnd = Exclude<BacktestStatus, 'queued' | 'running' | 'completed'>
export type NewBacktestResult = Omit<BacktestResultRow, 'backtest_id'>
export type BacktestListRow = LabelledBacktest & { hash: string | null; summary: string | null }
export type BacktestLabelColumns = Omit<BacktestLabelsRow, 'backtest_id'>
/** Null in each column before anything was added. */
export type LabelledBacktest = BacktestRow & {
  [Column in keyof BacktestLabelColumns]?: BacktestLabelColumns[Column] | null
}
export type NewPromotion = Omit<PromotionRow, 'promoted_at'>

/**
 * Backtests and their results. They are in the admin store because a start is audited in the same transaction (0009).
 * Ended backtests and results are immutable.
 */
export interface BacktestsStore {
  /** Newest first, with the summary of their results. */
  list(limit: number, filter: BacktestFilter): Promise<BacktestListRow[]>
  find(id: number): Promise<LabelledBacktest | undefined>
  resultOf(id: number): Promise<BacktestResultRow | undefined>
  add(audit: AuditContext, row: NewBacktestRow): Promise<BacktestRow>
  begin(id: number): Promise<void>
  /** Stores the fingerprint of the run's bars. */
  fingerprint(id: number, fingerprint: string): Promise<void>
  recordCancel(audit: AuditContext, id: number): Promise<Result<BacktestRow, 'unknown' | 'ended'>>
  complete(id: number, result: NewBacktestResult): Promise<void>
  end(id: number, status: BacktestEnd, error: string): Promise<void>
  /** Only an ended one can be archived. */
  label(
    audit: AuditContext,
    id: number,
    labels: BacktestLabelColumns,
  ): Promise<Result<undefined, 'unknown' | 'active'>>
  /** A repeat changes nothing. */
  promote(audit: AuditContext, promotion: NewPromotion): Promise<void>
  promotions(): Promise<PromotionRow[]>
}

export interface BacktestFilter {
  status?: BacktestStatus | undefined
  isArchived: boolean
}

const UNFINISHED: BacktestStatus[] = ['queued', 'running']
const INTERRUPTED = 'The server stopped before this backtest ended. Run it again.'

/** Marks the unfinished backtests of an earlier process as interrupted. */
export async function openBacktestsStore(
  db: AdminDb,
  audited: Audited,
  now: () => Date,
): Promise<BacktestsStore> {
  const store = createBacktestsStore(db, audited, () => now().toISOString())
  const left = await db.selectFrom('backtests').select('id').where('status', 'in', UNFINISHED).execute()
  for (const { id } of left) await store.end(id, 'interrupted', INTERRUPTED)
  return store
}

function createBacktestsStore(db: AdminDb, audited: Audited, nowText: () => string): BacktestsStore {
  async function finish(id: number, ending: Ending, result?: NewBacktestResult): Promise<void> {
    await audited(serverAuditContext('backtests.end'), async (tx) => {
      const before = await findBacktest(tx, id)
      if (before === undefined || isEnded(before)) return refused('ended')
      const finished = { ...ending, finished_at: nowText() }
      await tx.updateTable('backtests').set(finished).where('id', '=', id).execute()
      if (result)
        await tx
          .insertInto('backtest_results')
          .values({ backtest_id: id, ...result })
          .execute()
      const after = { ...ending, ...(result && { hash: result.hash }) }
      return done(undefined, auditChange(id, { status: before.status }, after))
    })
  }

  return {
    list: (limit, { status, isArchived }) =>
      db
        .selectFrom('backtests')
        .leftJoin('backtest_results', 'backtest_results.backtest_id', 'backtests.id')
        .selectAll('backtests')
        .leftJoin('backtest_labels', 'backtest_labels.backtest_id', 'backtests.id')
        .select(['backtest_results.hash', 'backtest_results.summary'])
        .select(['backtest_labels.tags', 'backtest_labels.note', 'backtest_labels.archived'])
        .where(sql`coalesce(archived, 0)`, '=', isArchived ? 1 : 0)
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    find: (id) =>
      db
        .selectFrom('backtests')
        .leftJoin('backtest_labels', 'backtest_labels.backtest_id', 'backtests.id')
        .selectAll('backtests')
        .select(['backtest_labels.tags', 'backtest_labels.note', 'backtest_labels.archived'])
        .where('id', '=', id)
        .executeTakeFirst(),
    resultOf: (id) =>
      db.selectFrom('backtest_results').selectAll().where('backtest_id', '=', id).executeTakeFirst(),
    async add(audit, row) {
      const outcome = await audited(audit, async (tx) => {
        const added = await tx
          .insertInto('backtests')
          .values({ ...row, status: 'queued', asked_by: audit.actor, created_at: nowText() })
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(
          added,
          auditChange(added.id, null, { status: added.status, request: JSON.parse(row.request) }),
        )
      })
      assert(outcome.ok)
      return outcome.value
    },
    async begin(id) {
      const start = { status: 'running', started_at: nowText() } as const
      await db.updateTable('backtests').set(start).where('id', '=', id).execute()
    },
    async fingerprint(id, data_fingerprint) {
      await db.updateTable('backtests').set({ data_fingerprint }).where('id', '=', id).execute()
    },
    recordCancel: (audit, id) =>
      audited(audit, async (tx) => {
        const row = await findBacktest(tx, id)
        if (row === undefined) return refused('unknown')
        if (isEnded(row)) return refused('ended')
        return done(row, auditChange(id, { status: row.status }, { status: row.status, is_cancelling: true }))
      }),
    complete: (id, result) => finish(id, { status: 'completed' }, result),
    end: (id, status, error) => finish(id, { status, error }),
    label: (audit, id, labels) =>
      audited(audit, async (tx) => {
        const row = await findBacktest(tx, id)
        if (row === undefined) return refused('unknown')
        if (labels.archived === 1 && !isEnded(row)) return refused('active')
        const before = await tx
          .selectFrom('backtest_labels')
          .select(['tags', 'note', 'archived'])
          .where('backtest_id', '=', id)
          .executeTakeFirst()
        await tx
          .insertInto('backtest_labels')
          .values({ backtest_id: id, ...labels })
          .onConflict((conflict) => conflict.column('backtest_id').doUpdateSet(labels))
          .execute()
        return done(undefined, auditChange(id, before ?? null, labels))
      }),
    async promote(audit, promotion) {
      await audited(audit, async (tx) => {
        const known = await tx
          .selectFrom('promotions')
          .select('strategy_id')
          .where('strategy_id', '=', promotion.strategy_id)
          .executeTakeFirst()
        if (known !== undefined) return refused('known')
        await tx
          .insertInto('promotions')
          .values({ ...promotion, promoted_at: nowText() })
          .execute()
        return done(undefined, auditChange(promotion.backtest_id, null, { strategy: promotion.strategy_id }))
      })
    },
    promotions: () => db.selectFrom('promotions').selectAll().execute(),
  }
}

type Ending = { status: 'completed' } | { status: BacktestEnd; error: string }

function findBacktest(db: AdminDb, id: number): Promise<BacktestRow | undefined> {
  return db.selectFrom('backtests').selectAll().where('id', '=', id).executeTakeFirst()
}

function isEnded({ status }: BacktestRow): boolean {
  return !UNFINISHED.includes(status)
}

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'backtest', target: String(id), before, after }
}
