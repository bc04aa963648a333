import assert from 'node:assert/strict'
import { type AuditContext, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, AdminTransaction, TaskRunRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** The history of task runs. A scheduled run claims its instant, which can be claimed only once. */
export interface TaskRunsStore {
  /** Newest first. */
  ofTask(taskId: number, limit: number): Promise<TaskRunRow[]>
  find(id: number): Promise<TaskRunRow | undefined>
  /** The last start of each task that has run. */
  lastStarts(): Promise<Map<number, string>>
  /** Returns undefined if the instant was claimed before. Not audited: the job of the run is. */
  claim(claim: RunClaim): Promise<TaskRunRow | undefined>
  /** Records a missed or skipped instant with its reason. */
  recordUnexecuted(run: UnexecutedRun): Promise<void>
  attachJob(id: number, jobId: number): Promise<void>
  end(id: number, ending: RunEnd): Promise<void>
  interruptUnfinished(): Promise<void>
  /** Deletes runs that ended before then. */
  clean(audit: AuditContext, before: string): Promise<number>
}

export type RunEnd = Pick<TaskRunRow, 'state' | 'message' | 'result'>

export interface RunClaim {
  taskId: number
  scheduledFor: string | null
  askedBy: string
}

export interface UnexecutedRun {
  taskId: number
  state: 'missed' | 'skipped'
  scheduledFor: string
  /** The last instant that this record covers. */
  until: string
  message: string
}

export async function openTaskRunsStore(
  db: AdminDb,
  audited: Audited,
  now: () => Date,
): Promise<TaskRunsStore> {
  const store = createTaskRunsStore(db, audited, () => now().toISOString())
  await store.interruptUnfinished()
  return store
}

function createTaskRunsStore(db: AdminDb, audited: Audited, nowText: () => string): TaskRunsStore {
  async function end(id: number, ending: RunEnd): Promise<void> {
    const ended = db.updateTable('task_runs').set({ ...ending, ended_at: nowText() })
    await ended.where('id', '=', id).where('state', '=', 'running').execute()
  }

  return {
    ofTask: (taskId, limit) =>
      db
        .selectFrom('task_runs')
        .selectAll()
        .where('task_id', '=', taskId)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    find: (id) => db.selectFrom('task_runs').selectAll().where('id', '=', id).executeTakeFirst(),
    async lastStarts() {
      const last = db
        .selectFrom('task_runs')
        .select(({ fn }) => ['task_id', fn.max('started_at').as('at')])
        .where('started_at', 'is not', null)
      const rows = await last.groupBy('task_id').execute()
      return new Map(rows.map(({ task_id, at }) => [task_id, at ?? '']))
    },
    claim: (claim) => db.transaction().execute((tx) => claimIn(tx, claim, nowText())),
    async recordUnexecuted({ taskId, state, scheduledFor, until, message }) {
      const outcome = await audited(serverAuditContext(`tasks.${state}`), async (tx) => {
        const at = { task_id: taskId, scheduled_for: scheduledFor, ended_at: nowText() }
        const added = await insertOnce(tx, { ...at, state, asked_by: 'server', message })
        if (added === undefined) return refused('known')
        await advanceHandledUntil(tx, taskId, until)
        const after = { scheduled_for: scheduledFor, state, message }
        return done(undefined, { entity: 'task', target: String(taskId), before: null, after })
      })
      if (!outcome.ok) await advanceHandledUntil(db, taskId, until)
    },
    async attachJob(id, jobId) {
      await db.updateTable('task_runs').set({ job_id: jobId }).where('id', '=', id).execute()
    },
    end,
    async interruptUnfinished() {
      const left = db.selectFrom('task_runs').select('id').where('state', '=', 'running')
      for (const { id } of await left.execute()) await end(id, INTERRUPTED)
    },
    clean: (audit, before) => clean(audited, audit, before),
  }
}

const INTERRUPTED: RunEnd = {
  state: 'interrupted',
  message: 'The server stopped before this ended.',
  result: null,
}

async function claimIn(
  tx: AdminTransaction,
  { taskId, scheduledFor, askedBy }: RunClaim,
  at: string,
): Promise<TaskRunRow | undefined> {
  const run = { task_id: taskId, scheduled_for: scheduledFor, asked_by: askedBy, started_at: at }
  const claimed = await insertOnce(tx, { ...run, state: 'running' })
  if (scheduledFor !== null) await advanceHandledUntil(tx, taskId, scheduledFor)
  return claimed
}

type NewRun = Partial<TaskRunRow> & Pick<TaskRunRow, 'task_id' | 'state' | 'asked_by'>

function insertOnce(tx: AdminTransaction, run: NewRun): Promise<TaskRunRow | undefined> {
  return tx
    .insertInto('task_runs')
    .values(run)
    .onConflict((conflict) => conflict.columns(['task_id', 'scheduled_for']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

async function advanceHandledUntil(tx: AdminDb, taskId: number, until: string): Promise<void> {
  const task = tx.updateTable('tasks').set({ handled_until: until }).where('id', '=', taskId)
  await task.where('handled_until', '<', until).execute()
}

async function clean(audited: Audited, audit: AuditContext, before: string): Promise<number> {
  const outcome = await audited(audit, async (tx) => {
    const old = tx.deleteFrom('task_runs').where('state', '<>', 'running').where('ended_at', '<', before)
    const count = Number((await old.executeTakeFirst()).numDeletedRows)
    const target = `ended before ${before}`
    return done(count, { entity: 'task-run', target, before: { count }, after: null })
  })
  assert(outcome.ok)
  return outcome.value
}
