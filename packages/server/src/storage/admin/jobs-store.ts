import assert from 'node:assert/strict'
import type { JobState } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import { type AuditChange, type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, JobLogRow, JobRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** Jobs and their logs. Start, cancel and end are audited, progress is not. */
export interface JobsStore {
  /** Newest first. */
  list(limit: number, state?: JobState): Promise<JobRow[]>
  find(id: number): Promise<JobRow | undefined>
  logOf(id: number): Promise<JobLogRow[]>
  add(audit: AuditContext, job: NewJob): Promise<JobRow>
  begin(id: number): Promise<void>
  /** Stores progress and new log lines. */
  report(id: number, at: Pick<JobRow, 'progress' | 'message'>, lines: JobLogRow[]): Promise<void>
  recordCancel(audit: AuditContext, id: number): Promise<Result<JobRow, 'unknown' | 'ended'>>
  end(id: number, ending: JobEnd): Promise<void>
  /** Marks unfinished jobs of an earlier process. */
  interruptUnfinished(): Promise<void>
  /** Deletes jobs that ended before then, with their logs. */
  clean(audit: AuditContext, before: string): Promise<number>
}

export type NewJob = Pick<JobRow, 'kind' | 'title'> & { isDryRun?: boolean }

export type JobEnd = Pick<JobRow, 'progress' | 'message' | 'result' | 'error'> & {
  state: Exclude<JobState, 'queued' | 'running'>
}

const UNFINISHED: JobState[] = ['queued', 'running']
const INTERRUPTED = 'The server stopped before this ended.'

/** Marks the unfinished jobs of an earlier process as interrupted. */
export async function openJobsStore(db: AdminDb, audited: Audited, now: () => Date): Promise<JobsStore> {
  const store = createJobsStore(db, audited, () => now().toISOString())
  await store.interruptUnfinished()
  return store
}

function createJobsStore(db: AdminDb, audited: Audited, nowText: () => string): JobsStore {
  async function end(
    audit: AuditContext,
    id: number,
    ending: Partial<JobEnd> & Pick<JobEnd, 'state'>,
  ): Promise<void> {
    await audited(audit, async (tx) => {
      const before = await findJob(tx, id)
      if (before === undefined || isEnded(before)) return refused('ended')
      await tx
        .updateTable('jobs')
        .set({ ...ending, ended_at: nowText() })
        .where('id', '=', id)
        .execute()
      const after = { state: ending.state, ...(ending.error && { error: ending.error }) }
      return done(undefined, auditChange(id, { state: before.state }, after))
    })
  }

  return {
    list: (limit, state) =>
      db
        .selectFrom('jobs')
        .selectAll()
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'queued'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    find: (id) => findJob(db, id),
    logOf: (id) => db.selectFrom('job_log').selectAll().where('job_id', '=', id).orderBy('line').execute(),
    async add(audit, { kind, title, isDryRun = false }) {
      const row = { kind, title, state: 'queued', progress: 0, asked_by: audit.actor } as const
      const outcome = await audited(audit, async (tx) => {
        const added = await tx
          .insertInto('jobs')
          .values({ ...row, created_at: nowText() })
          .returningAll()
          .executeTakeFirstOrThrow()
        const after = { kind, title, state: added.state, ...(isDryRun && { dry_run: true }) }
        return done(added, auditChange(added.id, null, after))
      })
      assert(outcome.ok)
      return outcome.value
    },
    async begin(id) {
      await db
        .updateTable('jobs')
        .set({ state: 'running', started_at: nowText() })
        .where('id', '=', id)
        .execute()
    },
    report: (id, at, lines) =>
      db.transaction().execute(async (tx) => {
        await tx.updateTable('jobs').set(at).where('id', '=', id).execute()
        if (lines.length > 0) await tx.insertInto('job_log').values(lines).execute()
      }),
    recordCancel: (audit, id) =>
      audited(audit, async (tx) => {
        const job = await findJob(tx, id)
        if (job === undefined) return refused('unknown')
        if (isEnded(job)) return refused('ended')
        return done(job, auditChange(id, { state: job.state }, { state: job.state, is_cancelling: true }))
      }),
    end: (id, ending) => end(serverAuditContext('jobs.end'), id, ending),
    async interruptUnfinished() {
      const left = await db.selectFrom('jobs').select('id').where('state', 'in', UNFINISHED).execute()
      const ending = { state: 'interrupted', message: INTERRUPTED, error: INTERRUPTED } as const
      for (const { id } of left) await end(serverAuditContext('jobs.interrupt'), id, ending)
    },
    clean: (audit, before) => clean(audited, audit, before),
  }
}

async function clean(audited: Audited, audit: AuditContext, before: string): Promise<number> {
  const outcome = await audited(audit, async (tx) => {
    const old = tx.deleteFrom('jobs').where('state', 'not in', UNFINISHED).where('ended_at', '<', before)
    const count = Number((await old.executeTakeFirst()).numDeletedRows)
    return done(count, { entity: 'job', target: `ended before ${before}`, before: { count }, after: null })
  })
  assert(outcome.ok)
  return outcome.value
}

function findJob(db: AdminDb, id: number): Promise<JobRow | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

function isEnded({ state }: JobRow): boolean {
  return !UNFINISHED.includes(state)
}

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'job', target: String(id), before, after }
}
