import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Done, Flag, Id, ifGiven, listOf, orDone, StrictFlag } from '#shared.ts'
import { lineUpTo, SOMETHING } from '#text.ts'
import { orJob } from './jobs.ts'

/** What a task can do; more as the server grows. */
export const TASK_KINDS = [
  'audit.verify',
  'history.clean',
  'health.report',
  'backup.make',
  'backup.drill',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

/** A scheduled task. The specification names tasks and shows no fields: these are ours. */
export const Task = z
  .object({
    id: Id,
    name: z.string(),
    kind: z
      .string()
      .describe(
        'audit.verify, history.clean, health.report, backup.make or backup.drill; others are possible',
      ),
    schedule: z.string().describe('A cron expression of five fields'),
    time_zone: z.string().describe('In which the schedule is read, such as Europe/Stockholm'),
    is_enabled: Flag,
    is_running: ifGiven(z.boolean()),
    last_run_at: z.string().nullish(),
    next_run_at: z.string().nullish().describe('Null for a task that is not enabled'),
  })
  .meta({ id: 'Task' })
export type Task = z.output<typeof Task>

const FIELDS = {
  name: lineUpTo(100),
  kind: z.enum(TASK_KINDS),
  schedule: lineUpTo(200).describe('minute hour day month weekday, such as 30 6 * * 1-5'),
  time_zone: lineUpTo(100),
  is_enabled: StrictFlag,
}

export const NewTask = z
  .strictObject({
    ...FIELDS,
    time_zone: FIELDS.time_zone.default('UTC'),
    is_enabled: FIELDS.is_enabled.default(1),
  })
  .meta({ id: 'NewTask' })
export type NewTask = z.output<typeof NewTask>

export const TaskChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...SOMETHING)
  .meta({ id: 'TaskChange' })
export type TaskChange = z.output<typeof TaskChange>

/** Missed: the server was not up. Skipped: the run before it was still going. */
export const TASK_RUN_STATES = [
  'running',
  'done',
  'failed',
  'cancelled',
  'interrupted',
  'missed',
  'skipped',
] as const
export type TaskRunState = (typeof TASK_RUN_STATES)[number]

export const TaskRun = z
  .object({
    id: Id,
    task_id: Id,
    state: z.enum(TASK_RUN_STATES),
    scheduled_for: z.string().nullish().describe('Null for a run by hand'),
    asked_by: z.string().nullish(),
    job: Id.nullish().describe('The id of the job that it ran as'),
    started_at: z.string().nullish(),
    ended_at: z.string().nullish(),
    duration_ms: z.number().nullish(),
    message: z.string().nullish().describe('What came of it, in a sentence'),
    result: z.unknown().optional(),
  })
  .meta({ id: 'TaskRun' })
export type TaskRun = z.output<typeof TaskRun>

export const tasks = {
  list: endpoint('GET /api/admin/tasks', {
    summary: 'Scheduled tasks',
    role: 'admin',
    origin: 'documented',
    reply: listOf('tasks', Task),
  }),
  add: endpoint('POST /api/admin/tasks', {
    summary: 'Schedule a task',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewTask,
    reply: orDone(Task),
  }),
  update: endpoint('PUT /api/admin/tasks/:id', {
    summary: 'Change a task; fields that are left out stay',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: TaskChange,
    reply: orDone(Task),
  }),
  remove: endpoint('DELETE /api/admin/tasks/:id', {
    summary: 'Delete a task and its history',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: Done,
  }),
  run: endpoint('POST /api/admin/tasks/:id/run', {
    summary: 'Run a task now; what takes longer than 20 seconds answers 202 with its job',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: orJob(TaskRun),
  }),
  history: endpoint('GET /api/admin/tasks/:id/history', {
    summary: 'The runs of a task, newest first, those that were missed or skipped too',
    role: 'admin',
    origin: 'ours',
    params: ById,
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(500).default(50) }),
    reply: listOf('runs', TaskRun),
  }),
}
