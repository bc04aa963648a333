import type { TaskRow } from '#storage/admin/admin-tables.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { COUNT_LIMIT, type DueInstants, dueInstants } from './due-instants.ts'
import { readSchedule } from './schedule.ts'
import type { TaskClock } from './task-clock.ts'
import type { TaskRunner } from './task-runner.ts'

export interface TaskScheduler {
  /** Records missed runs, then runs tasks when they are due. */
  start(): Promise<void>
  /** Call after a task was added or changed. Never rejects. */
  refresh(): Promise<void>
  stop(): void
}

interface TaskSchedulerOptions {
  store: Pick<AdminStore, 'tasks' | 'taskRuns'>
  runner: TaskRunner
  clock: TaskClock
  onFault: (fault: unknown) => void
}

/** An instant is run up to this late; after that it is missed. */
const MAX_LATE_MS = 60_000
/** After a failure of the store. Shorter than an instant may be late. */
const RETRY_MS = 10_000

export function createTaskScheduler({ store, runner, clock, onFault }: TaskSchedulerOptions): TaskScheduler {
  let isStarted = false
  let refreshing = Promise.resolve()
  let cancelWake = () => {}

  /** When to wake for this task, or null. One failing task must not stop the others. */
  async function processTask(task: TaskRow): Promise<Date | null> {
    const now = clock.now()
    let next: Date | null = null
    try {
      const cron = readSchedule(task)
      next = cron.nextRun(now)
      const due = dueInstants(cron, new Date(task.handled_until), now)
      if (due === undefined) return next
      // A store that fails now may work in time for this instant.
      next = new Date(now.getTime() + RETRY_MS)
      await handleDue(task.id, due, now)
      return cron.nextRun(now)
    } catch (fault) {
      onFault(fault)
      return next
    }
  }

  async function handleDue(taskId: number, due: DueInstants, now: Date): Promise<void> {
    const isOnTime = now.getTime() - due.last.getTime() <= MAX_LATE_MS
    const missed = describeMissed(due, isOnTime)
    if (missed !== undefined) await store.taskRuns.recordUnexecuted({ taskId, state: 'missed', ...missed })
    if (isOnTime) await runOrSkip(taskId, due.last.toISOString())
  }

  async function runOrSkip(taskId: number, instant: string): Promise<void> {
    // Reads the task again: it may have been changed or deleted.
    const task = await store.tasks.find(taskId)
    if (task?.is_enabled !== 1) return
    if (!runner.isRunning(taskId)) {
      await runner.run(serverAuditContext('tasks.run'), task, instant)
      return
    }
    const message = 'Skipped: the previous run was still running.'
    const at = { scheduledFor: instant, until: instant }
    await store.taskRuns.recordUnexecuted({ taskId, state: 'skipped', ...at, message })
  }

  async function processTasks(): Promise<void> {
    if (!isStarted) return
    cancelWake()
    let nexts: (Date | null)[] = [new Date(clock.now().getTime() + RETRY_MS)]
    try {
      const tasks = (await store.tasks.list()).filter(({ is_enabled }) => is_enabled === 1)
      nexts = []
      for (const task of tasks) nexts.push(await processTask(task))
    } finally {
      // Also after a failure: nothing else wakes the scheduler.
      const times = nexts.flatMap((next) => next?.getTime() ?? [])
      if (isStarted && times.length > 0) cancelWake = clock.wakeAt(new Date(Math.min(...times)), refresh)
    }
  }

  function refresh(): Promise<void> {
    refreshing = refreshing.then(processTasks).catch(onFault)
    return refreshing
  }

  return {
    start() {
      isStarted = true
      return refresh()
    },
    refresh,
    stop() {
      isStarted = false
      cancelWake()
    },
  }
}

/** Describes consecutive missed instants in one record, without the last one if it can still run. */
function describeMissed({ first, last, count }: DueInstants, isLastRun: boolean) {
  const missed = isLastRun ? count - 1 : count
  if (missed === 0) return undefined
  const scheduledFor = first.toISOString()
  const until = isLastRun ? new Date(last.getTime() - 1) : last
  const number = count === COUNT_LIMIT ? `${missed} or more` : missed
  const what =
    missed === 1
      ? `The run of ${scheduledFor} was missed`
      : `${number} runs since ${scheduledFor} were missed`
  return { scheduledFor, until: until.toISOString(), message: `${what}: the server was not running.` }
}
