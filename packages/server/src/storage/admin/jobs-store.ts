import assert from 'node:assert/strict'
import type { JobState } from '@binnacle/contract'
import { type Act, actOfServer, type Deed } from '#audit/act.ts'
import type { AdminDb, JobLogRow, JobRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'

/** What is kept of long work. That it was asked for, told to stop and how it ended is audited, its progress not. */
export interface JobsStore {
  /** The newest first. */
  list(limit: number, state?: JobState): Promise<JobRow[]>
  find(id: number): Promise<JobRow | undefined>
  logOf(id: number): Promise<JobLogRow[]>
  add(act: Act, job: Pick<JobRow, 'kind' | 'title'>): Promise<JobRow>
  begin(id: number): Promise<void>
  /** Keeps how far it is, and lines that its log does not have yet. */
  report(id: number, at: Pick<JobRow, 'progress' | 'message'>, lines: JobLogRow[]): Promise<void>
  recordCancel(act: Act, id: number): Promise<Outcome<JobRow, 'unknown' | 'ended'>>
  end(id: number, ending: JobEnd): Promise<void>
  /** For those that the server did not live to see the end of. */
  interruptUnfinished(): Promise<void>
  /** Deletes those that ended before then, with their logs. */
  clean(act: Act, before: string): Promise<number>
}

export type JobEnd = Pick<JobRow, 'progress' | 'message' | 'result' | 'error'> & {
  state: Exclude<JobState, 'queued' | 'running'>
}

const UNFINISHED: JobState[] = ['queued', 'running']
const INTERRUPTED = 'The server ended before this did.'

/** What an earlier server left unfinished is interrupted: nobody works on it any more. */
export async function openJobsStore(db: AdminDb, audited: Audited, now: () => Date): Promise<JobsStore> {
  const store = createJobsStore(db, audited, () => now().toISOString())
  await store.interruptUnfinished()
  return store
}

function createJobsStore(db: AdminDb, audited: Audited, nowText: () => string): JobsStore {
  async function end(act: Act, id: number, ending: Partial<JobEnd> & Pick<JobEnd, 'state'>): Promise<void> {
    await audited(act, async (tx) => {
      const before = await findJob(tx, id)
      if (before === undefined || isEnded(before)) return refused('ended')
      await tx
        .updateTable('jobs')
        .set({ ...ending, ended_at: nowText() })
        .where('id', '=', id)
        .execute()
      const after = { state: ending.state, ...(ending.error && { error: ending.error }) }
      return done(undefined, deed(id, { state: before.state }, after))
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
    async add(act, { kind, title }) {
      const row = { kind, title, state: 'queued', progress: 0, asked_by: act.actor } as const
      const outcome = await audited(act, async (tx) => {
        const added = await tx
          .insertInto('jobs')
          .values({ ...row, created_at: nowText() })
          .returningAll()
          .executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, { kind, title, state: added.state }))
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
    recordCancel: (act, id) =>
      audited(act, async (tx) => {
        const job = await findJob(tx, id)
        if (job === undefined) return refused('unknown')
        if (isEnded(job)) return refused('ended')
        return done(job, deed(id, { state: job.state }, { state: job.state, is_cancelling: true }))
      }),
    end: (id, ending) => end(actOfServer('jobs.end'), id, ending),
    async interruptUnfinished() {
      const left = await db.selectFrom('jobs').select('id').where('state', 'in', UNFINISHED).execute()
      const ending = { state: 'interrupted', message: INTERRUPTED, error: INTERRUPTED } as const
      for (const { id } of left) await end(actOfServer('jobs.interrupt'), id, ending)
    },
    clean: (act, before) => clean(audited, act, before),
  }
}

async function clean(audited: Audited, act: Act, before: string): Promise<number> {
  const outcome = await audited(act, async (tx) => {
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

function deed(id: number, before: unknown, after: unknown): Deed {
  return { entity: 'job', target: String(id), before, after }
}
