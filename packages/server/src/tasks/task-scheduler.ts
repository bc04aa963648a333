import { actOfServer } from '#audit/act.ts'
import type { TaskRow } from '#storage/admin/admin-tables.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { COUNT_LIMIT, type DueInstants, dueInstants } from './due-instants.ts'
import { readSchedule } from './schedule.ts'
import type { TaskClock } from './task-clock.ts'
import type { TaskRunner } from './task-runner.ts'

export interface TaskScheduler {
  /** Looks at what was missed, and from then on runs what is due. */
  start(): Promise<void>
  /** To be called when a task was added or changed. Never rejects. */
  look(): Promise<void>
  stop(): void
}

interface SchedulerNeeds {
  store: Pick<AdminStore, 'tasks' | 'taskRuns'>
  runner: TaskRunner
  clock: TaskClock
  onFault: (fault: unknown) => void
}

/** What is due is run if the server comes no later than this, and else was missed. */
const LATE_MS = 60_000

export function createTaskScheduler({ store, runner, clock, onFault }: SchedulerNeeds): TaskScheduler {
  let isStarted = false
  let looking = Promise.resolve()
  let callOff = () => {}

  async function lookAt(task: TaskRow): Promise<Date | null> {
    const cron = readSchedule(task)
    const now = clock.now()
    const due = dueInstants(cron, new Date(task.handled_until), now)
    if (due !== undefined) await settle(task.id, due, now)
    return cron.nextRun(now)
  }

  async function settle(taskId: number, due: DueInstants, now: Date): Promise<void> {
    const isOnTime = now.getTime() - due.last.getTime() <= LATE_MS
    const missed = missedOf(due, isOnTime)
    if (missed !== undefined) await store.taskRuns.recordUnrun({ taskId, state: 'missed', ...missed })
    if (isOnTime) await runOrSkip(taskId, due.last.toISOString())
  }

  async function runOrSkip(taskId: number, instant: string): Promise<void> {
    // Read again: meanwhile somebody may have changed or deleted it.
    const task = await store.tasks.find(taskId)
    if (task?.is_enabled !== 1) return
    if (!runner.isRunning(taskId)) {
      await runner.run(actOfServer('tasks.run'), task, instant)
      return
    }
    const message = 'The run before this one was still going.'
    const at = { scheduledFor: instant, until: instant }
    await store.taskRuns.recordUnrun({ taskId, state: 'skipped', ...at, message })
  }

  function tellFault(fault: unknown): null {
    onFault(fault)
    return null
  }

  async function lookAtAll(): Promise<void> {
    if (!isStarted) return
    callOff()
    const tasks = (await store.tasks.list()).filter(({ is_enabled }) => is_enabled === 1)
    const nexts: number[] = []
    for (const task of tasks) {
      const next = await lookAt(task).then((at) => at, tellFault)
      if (next !== null) nexts.push(next.getTime())
    }
    if (isStarted && nexts.length > 0) callOff = clock.wakeAt(new Date(Math.min(...nexts)), look)
  }

  function look(): Promise<void> {
    looking = looking.then(lookAtAll).then(undefined, onFault)
    return looking
  }

  return {
    start() {
      isStarted = true
      return look()
    },
    look,
    stop() {
      isStarted = false
      callOff()
    },
  }
}

/** One line of history for all that was missed in a row; the last instant is not among them if it can still run. */
function missedOf({ first, last, count }: DueInstants, isLastRun: boolean) {
  const missed = isLastRun ? count - 1 : count
  if (missed === 0) return undefined
  const scheduledFor = first.toISOString()
  const until = isLastRun ? new Date(last.getTime() - 1) : last
  const number = count === COUNT_LIMIT ? `${missed} or more` : missed
  const what =
    missed === 1
      ? `The run of ${scheduledFor} was missed`
      : `${number} runs from ${scheduledFor} on were missed`
  return { scheduledFor, until: until.toISOString(), message: `${what}: the server was not up.` }
}
