import { type TaskChange, tasks } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { LongWork } from '#http/long-work.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { invalidFields } from '#http/validation.ts'
import { answerInTime } from '#jobs/answer-in-time.ts'
import type { TaskRow, TaskRunRow } from '#storage/admin/admin-tables.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { checkSchedule, readSchedule, type ScheduleText } from '#tasks/schedule.ts'
import type { TaskClock } from '#tasks/task-clock.ts'
import type { TaskRunner } from '#tasks/task-runner.ts'
import type { TaskScheduler } from '#tasks/task-scheduler.ts'
import { answer, takenName, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'

export interface TaskNeeds {
  store: Pick<AdminStore, 'tasks' | 'taskRuns'>
  runner: TaskRunner
  scheduler: TaskScheduler
  clock: TaskClock
}

export function addTasksRoutes(app: FastifyInstance, { store, runner, scheduler, clock }: TaskNeeds): void {
  const refusalOfSchedule = async (text: ScheduleText) => {
    const fault = await checkSchedule(text, clock.now())
    return fault && invalidFields([{ ...fault, field: `body.${fault.field}` }])
  }
  const toWire = (task: TaskRow, lastRunAt?: string) => taskToWire(task, { runner, clock, lastRunAt })

  mount(app, tasks.list, async () => {
    const lastStarts = await store.taskRuns.lastStarts()
    return { tasks: (await store.tasks.list()).map((task) => toWire(task, lastStarts.get(task.id))) }
  })

  mount(app, tasks.add, async ({ body }, act) => {
    const refused = await refusalOfSchedule(body)
    if (refused !== undefined) return refused
    const outcome = await store.tasks.add(act, { ...body, handled_until: clock.now().toISOString() })
    await scheduler.look()
    return answer(outcome, (task) => toWire(task), { 'name-taken': takenName('task', body.name) })
  })

  mount(app, tasks.update, async ({ params, body }, act) => {
    const before = await store.tasks.find(rowIdOf(params.id))
    if (before === undefined) return unknownTask(params.id)
    const refused = await refusalOfSchedule({ ...before, ...given(body) })
    if (refused !== undefined) return refused
    const outcome = await store.tasks.update(act, before.id, { ...body, ...anew(body, clock.now()) })
    await scheduler.look()
    const refusals = { unknown: unknownTask(params.id), 'name-taken': takenName('task', body.name) }
    return answer(outcome, (task) => toWire(task), refusals)
  })

  mount(app, tasks.remove, async ({ params }, act) => {
    const id = rowIdOf(params.id)
    if (runner.isRunning(id)) return RUNNING
    const told = ({ name }: TaskRow) => ({ message: `Task '${name}' deleted` })
    return answer(await store.tasks.remove(act, id), told, { unknown: unknownTask(params.id) })
  })
  addRunRoutes(app, store, runner)
}

function addRunRoutes(app: FastifyInstance, store: TaskNeeds['store'], runner: TaskRunner): void {
  mount(app, tasks.run, async ({ params }, act) => {
    const task = await store.tasks.find(rowIdOf(params.id))
    if (task === undefined) return unknownTask(params.id)
    const started = await runner.run(act, task, null)
    if (started === undefined) return RUNNING
    const late = await answerInTime(started.job, () => undefined)
    if (late instanceof LongWork) return late
    // However it ended, its line in the history says it.
    const run = await store.taskRuns.find(started.runId)
    return run === undefined ? unknownTask(params.id) : runToWire(run)
  })

  mount(app, tasks.history, async ({ params, query }) => {
    const task = await store.tasks.find(rowIdOf(params.id))
    if (task === undefined) return unknownTask(params.id)
    return { runs: (await store.taskRuns.ofTask(task.id, query.limit)).map(runToWire) }
  })
}

const RUNNING = new Refused('task.running', 'The task is running. Wait for its end, or cancel its job first.')

function given(change: TaskChange): Partial<ScheduleText> {
  return {
    ...(change.schedule !== undefined && { schedule: change.schedule }),
    ...(change.time_zone !== undefined && { time_zone: change.time_zone }),
  }
}

/** A new schedule, or one that is taken up again, misses nothing of the time before. */
function anew({ schedule, time_zone, is_enabled }: TaskChange, now: Date) {
  const isNew = schedule !== undefined || time_zone !== undefined || is_enabled !== undefined
  return isNew ? { handled_until: now.toISOString() } : {}
}

interface WireNeeds extends Pick<TaskNeeds, 'runner' | 'clock'> {
  lastRunAt: string | undefined
}

function taskToWire({ handled_until: _, ...task }: TaskRow, { runner, clock, lastRunAt }: WireNeeds) {
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
  return unknownThing('task', id, 'GET /api/admin/tasks')
}
