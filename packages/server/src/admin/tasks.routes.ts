import { type TaskChange, tasks } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { checkSchedule, readSchedule, type ScheduleText } from '#admin/tasks/schedule.ts'
import type { TaskClock } from '#admin/tasks/task-clock.ts'
import type { TaskRunner } from '#admin/tasks/task-runner.ts'
import type { TaskScheduler } from '#admin/tasks/task-scheduler.ts'
import { JobReply } from '#http/job-reply.ts'
import { type Handler, mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { invalidFields } from '#http/validation.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { TaskRow, TaskRunRow } from '#storage/admin/admin-tables.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { nameTaken, replyWith } from './replies.ts'

export interface TaskRouteOptions {
  store: Pick<AdminStore, 'tasks' | 'taskRuns'>
  runner: TaskRunner
  scheduler: TaskScheduler
  clock: TaskClock
}

export function addTasksRoutes(
  app: FastifyInstance,
  { store, runner, scheduler, clock }: TaskRouteOptions,
): void {
  const refusalOfSchedule = (text: ScheduleText) => {
    const fault = checkSchedule(text, clock.now())
    return fault && invalidFields([{ ...fault, field: `body.${fault.field}` }])
  }
  const toWire = (task: TaskRow, lastRunAt?: string) => taskToWire(task, { runner, clock, lastRunAt })

  mount(app, tasks.list, async () => {
    const lastStarts = await store.taskRuns.lastStarts()
    return { tasks: (await store.tasks.list()).map((task) => toWire(task, lastStarts.get(task.id))) }
  })

  const add: Handler<typeof tasks.add> = async ({ body }, { audit }) => {
    const refused = refusalOfSchedule(body)
    if (refused !== undefined) return refused
    const outcome = await store.tasks.add(audit, { ...body, handled_until: clock.now().toISOString() })
    await scheduler.refresh()
    return replyWith(outcome, (task) => toWire(task), { 'name-taken': nameTaken('task', body.name) })
  }
  mount(app, tasks.add, onceByKey(store, tasks.add, add))

  mount(app, tasks.update, async ({ params, body }, { audit }) => {
    const before = await store.tasks.find(parseRowId(params.id))
    if (before === undefined) return unknownTask(params.id)
    const refused = refusalOfSchedule({ ...before, ...scheduleChange(body) })
    if (refused !== undefined) return refused
    const outcome = await store.tasks.update(audit, before.id, {
      ...body,
      ...restartSchedule(body, clock.now()),
    })
    await scheduler.refresh()
    const refusals = { unknown: unknownTask(params.id), 'name-taken': nameTaken('task', body.name) }
    return replyWith(outcome, (task) => toWire(task), refusals)
  })

  mount(app, tasks.remove, async ({ params }, { audit }) => {
    const id = parseRowId(params.id)
    if (runner.isRunning(id)) return RUNNING
    const toMessage = ({ name }: TaskRow) => ({ message: `Task '${name}' deleted` })
    return replyWith(await store.tasks.remove(audit, id), toMessage, { unknown: unknownTask(params.id) })
  })
  addRunRoutes(app, store, runner)
}

function addRunRoutes(app: FastifyInstance, store: TaskRouteOptions['store'], runner: TaskRunner): void {
  mount(app, tasks.run, async ({ params }, { audit }) => {
    const task = await store.tasks.find(parseRowId(params.id))
    if (task === undefined) return unknownTask(params.id)
    const started = await runner.run(audit, task, null)
    if (started === undefined) return RUNNING
    const late = await answerInTime(started.job, () => undefined)
    if (late instanceof JobReply) return late
    // The history has the outcome of every run.
    const run = await store.taskRuns.find(started.runId)
    return run === undefined ? unknownTask(params.id) : runToWire(run)
  })

  mount(app, tasks.history, async ({ params, query }) => {
    const task = await store.tasks.find(parseRowId(params.id))
    if (task === undefined) return unknownTask(params.id)
    return { runs: (await store.taskRuns.ofTask(task.id, query.limit)).map(runToWire) }
  })
}

const RUNNING = new Refused('task.running', 'The task is running. Wait for it to end, or cancel its job.')

function scheduleChange(change: TaskChange): Partial<ScheduleText> {
  return {
    ...(change.schedule !== undefined && { schedule: change.schedule }),
    ...(change.time_zone !== undefined && { time_zone: change.time_zone }),
  }
}

/** A new or re-enabled schedule has no missed runs from before. */
function restartSchedule({ schedule, time_zone, is_enabled }: TaskChange, now: Date) {
  const isNew = schedule !== undefined || time_zone !== undefined || is_enabled !== undefined
  return isNew ? { handled_until: now.toISOString() } : {}
}

interface TaskWireOptions extends Pick<TaskRouteOptions, 'runner' | 'clock'> {
  lastRunAt: string | undefined
}

function taskToWire({ handled_until: _, ...task }: TaskRow, { runner, clock, lastRunAt }: TaskWireOptions) {
  const next = task.is_enabled === 1 ? readSchedule(task).nextRun(clock.now()) : null
  return {
    ...task,
    is_running: runner.isRunning(task.id),
    last_run_at: lastRunAt ?? null,
    next_run_at: next?.toISOString() ?? null,
  }
}

function runToWire({ job_id: job, ...run }: TaskRunRow) {
  const { started_at, ended_at } = run
  const isTimed = started_at !== null && ended_at !== null
  const duration_ms = isTimed ? Date.parse(ended_at) - Date.parse(started_at) : null
  return { ...run, job, duration_ms, result: run.result && JSON.parse(run.result) }
}

function unknownTask(id: string): Refused {
  return notFound('task', id, { list: 'GET /api/admin/tasks' })
}
