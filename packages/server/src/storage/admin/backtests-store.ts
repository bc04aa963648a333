import assert from 'node:assert/strict'
import type { BacktestStatus } from '@binnacle/contract'
import { type Act, actOfServer, type Deed } from '#audit/act.ts'
import type { AdminDb, BacktestResultRow, BacktestRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'

export type NewBacktestRow = Pick<BacktestRow, 'request' | 'seed' | 'engine_version' | 'rerun_of'>
export type BacktestEnd = Exclude<BacktestStatus, 'queued' | 'running' | 'completed'>
export type KeptResult = Omit<BacktestResultRow, 'backtest_id'>
export type BacktestListRow = BacktestRow & { hash: string | null; summary: string | null }

/**
 * What is kept of backtests. They are in the admin store because asking for one is audited in the same transaction
 * (0009). A record that has ended never changes again, and its result never does.
 */
export interface BacktestsStore {
  /** The newest first, with the short form of their results. */
  list(limit: number, status?: BacktestStatus): Promise<BacktestListRow[]>
  find(id: number): Promise<BacktestRow | undefined>
  resultOf(id: number): Promise<BacktestResultRow | undefined>
  add(act: Act, row: NewBacktestRow): Promise<BacktestRow>
  begin(id: number): Promise<void>
  /** Keeps of which bars the run is. */
  fingerprint(id: number, fingerprint: string): Promise<void>
  recordCancel(act: Act, id: number): Promise<Outcome<BacktestRow, 'unknown' | 'ended'>>
  complete(id: number, result: KeptResult): Promise<void>
  end(id: number, status: BacktestEnd, error: string): Promise<void>
}

const UNFINISHED: BacktestStatus[] = ['queued', 'running']
const INTERRUPTED = 'The server ended before this run did. Run it again for its result.'

/** What an earlier server left unfinished is interrupted: nobody works on it any more. */
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
  async function finish(id: number, ending: Ending, result?: KeptResult): Promise<void> {
    await audited(actOfServer('backtests.end'), async (tx) => {
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
      return done(undefined, deed(id, { status: before.status }, after))
    })
  }

  return {
    list: (limit, status) =>
      db
        .selectFrom('backtests')
        .leftJoin('backtest_results', 'backtest_results.backtest_id', 'backtests.id')
        .selectAll('backtests')
        .select(['backtest_results.hash', 'backtest_results.summary'])
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    find: (id) => findBacktest(db, id),
    resultOf: (id) =>
      db.selectFrom('backtest_results').selectAll().where('backtest_id', '=', id).executeTakeFirst(),
    async add(act, row) {
      const outcome = await audited(act, async (tx) => {
        const added = await tx
          .insertInto('backtests')
          .values({ ...row, status: 'queued', asked_by: act.actor, created_at: nowText() })
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, { status: added.status, request: JSON.parse(row.request) }))
      })
      assert(outcome.ok)
      return outcome.value
    },
    async begin(id) {
      const begun = { status: 'running', started_at: nowText() } as const
      await db.updateTable('backtests').set(begun).where('id', '=', id).execute()
    },
    async fingerprint(id, data_fingerprint) {
      await db.updateTable('backtests').set({ data_fingerprint }).where('id', '=', id).execute()
    },
    recordCancel: (act, id) =>
      audited(act, async (tx) => {
        const row = await findBacktest(tx, id)
        if (row === undefined) return refused('unknown')
        if (isEnded(row)) return refused('ended')
        return done(row, deed(id, { status: row.status }, { status: row.status, is_cancelling: true }))
      }),
    complete: (id, result) => finish(id, { status: 'completed' }, result),
    end: (id, status, error) => finish(id, { status, error }),
  }
}

type Ending = { status: 'completed' } | { status: BacktestEnd; error: string }

function findBacktest(db: AdminDb, id: number): Promise<BacktestRow | undefined> {
  return db.selectFrom('backtests').selectAll().where('id', '=', id).executeTakeFirst()
}

function isEnded({ status }: BacktestRow): boolean {
  return !UNFINISHED.includes(status)
}

function deed(id: number, before: unknown, after: unknown): Deed {
  return { entity: 'backtest', target: String(id), before, after }
}
