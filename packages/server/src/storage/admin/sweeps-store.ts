import assert from 'node:assert/strict'
import type { BacktestStatus } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, Flag, SweepResultRow, SweepRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

export type NewSweepRow = Pick<SweepRow, 'request' | 'names' | 'sets' | 'segments'>
export type SweepListRow = SweepRow & { done: number }

export interface SweepEnding {
  status: Exclude<BacktestStatus, 'queued' | 'running'>
  best: string | null
  stopped_early: Flag
  error: string | null
}

/** Sweeps and the results of their sets. */
export interface SweepsStore {
  /** Newest first. */
  list(limit: number): Promise<SweepListRow[]>
  find(id: number): Promise<SweepListRow | undefined>
  resultsOf(id: number): Promise<SweepResultRow[]>
  add(audit: AuditContext, row: NewSweepRow, refusedSets: readonly NewSweepResult[]): Promise<SweepListRow>
  begin(id: number): Promise<void>
  /** A result that is there already stays: a repeated run of a set gives the same. */
  addResult(row: SweepResultRow): Promise<void>
  recordCancel(audit: AuditContext, id: number): Promise<Result<undefined, 'unknown' | 'ended'>>
  end(id: number, ending: SweepEnding): Promise<void>
}

export type NewSweepResult = Omit<SweepResultRow, 'sweep_id'>

const UNFINISHED: BacktestStatus[] = ['queued', 'running']
export const INTERRUPTED = 'The server stopped before this sweep ended. Run it again.'

/** BT-44: marks the unfinished sweeps of an earlier process as interrupted. */
export async function openSweepsStore(db: AdminDb, audited: Audited, now: () => Date): Promise<SweepsStore> {
  const store = createSweepsStore(db, audited, () => now().toISOString())
  const left = await db.selectFrom('sweeps').select('id').where('status', 'in', UNFINISHED).execute()
  for (const { id } of left)
    await store.end(id, { status: 'interrupted', best: null, stopped_early: 0, error: INTERRUPTED })
  return store
}

function createSweepsStore(db: AdminDb, audited: Audited, nowText: () => string): SweepsStore {
  const listed = () =>
    db
      .selectFrom('sweeps')
      .selectAll()
      .select(({ selectFrom, fn }) =>
        selectFrom('sweep_results')
          .whereRef('sweep_results.sweep_id', '=', 'sweeps.id')
          .select(fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('done'),
      )
  const find = (id: number) => listed().where('id', '=', id).executeTakeFirst()
  return {
    list: (limit) => listed().orderBy('id', 'desc').limit(limit).execute(),
    find,
    resultsOf: (id) =>
      db
        .selectFrom('sweep_results')
        .selectAll()
        .where('sweep_id', '=', id)
        .orderBy('segment')
        .orderBy('set_number')
        .execute(),
    async add(audit, row, refusedSets) {
      const outcome = await audited(audit, async (tx) => {
        const added = await tx
          .insertInto('sweeps')
          .values({ ...row, status: 'queued', asked_by: audit.actor, created_at: nowText() })
          .returningAll()
          .executeTakeFirstOrThrow()
        for (const result of refusedSets)
          await tx
            .insertInto('sweep_results')
            .values({ sweep_id: added.id, ...result })
            .execute()
        const after = { status: added.status, request: JSON.parse(row.request) }
        return done(
          { ...added, done: refusedSets.length },
          { entity: 'sweep', target: String(added.id), before: null, after },
        )
      })
      assert(outcome.ok)
      return outcome.value
    },
    async begin(id) {
      const start = { status: 'running', started_at: nowText() } as const
      await db.updateTable('sweeps').set(start).where('id', '=', id).execute()
    },
    async addResult(row) {
      await db
        .insertInto('sweep_results')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    recordCancel: (audit, id) =>
      audited(audit, async (tx) => {
        const row = await tx.selectFrom('sweeps').select('status').where('id', '=', id).executeTakeFirst()
        if (row === undefined) return refused('unknown')
        if (!UNFINISHED.includes(row.status)) return refused('ended')
        const { status } = row
        const after = { status, is_cancelling: true }
        return done(undefined, { entity: 'sweep', target: String(id), before: { status }, after })
      }),
    async end(id, ending) {
      await audited(serverAuditContext('sweeps.end'), async (tx) => {
        const row = await tx.selectFrom('sweeps').select('status').where('id', '=', id).executeTakeFirst()
        if (row === undefined || !UNFINISHED.includes(row.status)) return refused('ended')
        await tx
          .updateTable('sweeps')
          .set({ ...ending, finished_at: nowText() })
          .where('id', '=', id)
          .execute()
        const { status } = row
        return done(undefined, { entity: 'sweep', target: String(id), before: { status }, after: ending })
      })
    },
  }
}
