import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Done, Flag, Id, ifGiven, listOf, orDone, StrictFlag } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, lineUpTo, ONE_FIELD_SCHEMA } from '#text.ts'
import { orJob } from './jobs.ts'

export const TASK_KINDS = [
  'audit.verify',
  'stores.check',
  'history.clean',
  'health.report',
  'backup.make',
  'backup.drill',
  'audit.anchor',
] as const
export type TaskKind = (typeof TASK_KINDS)[number]

/** A scheduled task. The specification names tasks and shows no fields: these are ours. */
export const Task = object(() => ({
  id: Id,
  name: z.string(),
  kind: z
    .string()
    .describe(
      'audit.verify, stores.check, history.clean, health.report, backup.make, backup.drill or audit.anchor; others are possible',
    ),
  schedule: z.string().describe('A cron expression of five fields'),
  time_zone: z.string().describe('Time zone of the schedule, such as Europe/Stockholm'),
  is_enabled: Flag,
  is_running: ifGiven(z.boolean()),
  last_run_at: z.string().nullish(),
  next_run_at: z.string().nullish().describe('Null while the task is disabled'),
})).meta({ id: 'Task' })
export type Task = z.output<typeof Task>

const FIELDS = {
  name: lineUpTo(100),
  kind: z.enum(TASK_KINDS),
  schedule: lineUpTo(200).describe('minute hour day month weekday, such as 30 6 * * 1-5'),
  time_zone: lineUpTo(100),
  is_enabled: StrictFlag,
}

export const NewTask = strictObject(() => ({
  ...FIELDS,
  time_zone: FIELDS.time_zone.default('UTC'),
  is_enabled: FIELDS.is_enabled.default(1),
})).meta({ id: 'NewTask' })
export type NewTask = z.output<typeof NewTask>

export const TaskChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'TaskChange', ...ONE_FIELD_SCHEMA })
export type TaskChange = z.output<typeof TaskChange>

/** Missed: the server was not running. Skipped: the previous run had not ended. */
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

export const TaskRun = object(() => ({
  id: Id,
  task_id: Id,
  state: z.enum(TASK_RUN_STATES),
  scheduled_for: z.string().nullish().describe('Null for a manual run'),
  asked_by: z.string().nullish(),
  job: Id.nullish().describe('The id of its job'),
  started_at: z.string().nullish(),
  ended_at: z.string().nullish(),
  duration_ms: z.number().nullish(),
  message: z.string().nullish().describe('The outcome, in a sentence'),
  result: z.unknown().optional(),
})).meta({ id: 'TaskRun' })
export type TaskRun = z.output<typeof TaskRun>

export const tasks = {
  list: adminEndpoint('GET /api/admin/tasks', {
    summary: 'Scheduled tasks',
    role: 'admin',
    origin: 'documented',
    reply: listOf('tasks', Task),
  }),
  add: adminEndpoint('POST /api/admin/tasks', {
    summary: 'Schedule a task',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewTask,
    reply: orDone(Task),
  }),
  update: adminEndpoint('PUT /api/admin/tasks/:id', {
    summary: 'Change a task; omitted fields stay unchanged',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: TaskChange,
    reply: orDone(Task),
  }),
  remove: adminEndpoint('DELETE /api/admin/tasks/:id', {
    summary: 'Delete a task and its history',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: Done,
  }),
  run: adminEndpoint('POST /api/admin/tasks/:id/run', {
    summary: 'Run a task now; after 20 seconds the reply is 202 with the job',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: orJob(TaskRun),
  }),
  history: adminEndpoint('GET /api/admin/tasks/:id/history', {
    summary: 'The runs of a task, newest first, including missed and skipped ones',
    role: 'admin',
    origin: 'ours',
    params: ById,
    query: strictObject(() => ({ limit: z.coerce.number<number>().int().min(1).max(500).default(50) })),
    reply: listOf('runs', TaskRun),
  }),
}
