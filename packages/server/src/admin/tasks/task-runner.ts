import type { JobEnding, StartedJob } from '#services/jobs/job.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { TaskRow } from '#storage/admin/admin-tables.ts'
import type { TaskRunsStore } from '#storage/admin/task-runs-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { TaskKinds, TaskResult } from './task-kinds.ts'

export interface TaskRunner {
  isRunning(taskId: number): boolean
  /**
   * Runs the task as a job, for an instant of its schedule or, with null, manually. Returns undefined if the task is
   * already running or the instant was claimed before.
   */
  run(audit: AuditContext, task: TaskRow, scheduledFor: string | null): Promise<StartedRun | undefined>
}

export interface StartedRun {
  runId: number
  /** Ends after the run is in the history. */
  job: StartedJob<TaskResult>
}

interface TaskRunnerOptions {
  runs: TaskRunsStore
  jobs: Jobs
  kinds: TaskKinds
  onFault: (fault: unknown) => void
}

export function createTaskRunner({ runs, jobs, kinds, onFault }: TaskRunnerOptions): TaskRunner {
  const running = new Set<number>()

  async function start(audit: AuditContext, task: TaskRow, scheduledFor: string | null) {
    const run = await runs.claim({ taskId: task.id, scheduledFor, askedBy: audit.actor })
    if (run === undefined) return undefined
    const { kind, name } = task
    const started = await jobs.start(audit, { kind: `task.${kind}`, title: name, run: kinds[kind] })
    await runs.attachJob(run.id, started.id)
    const ended = started.ended.then(async (ending) => {
      await runs.end(run.id, rowOf(ending)).catch(onFault)
      running.delete(task.id)
      return ending
    })
    return { runId: run.id, job: { ...started, ended } }
  }

  return {
    isRunning: (taskId) => running.has(taskId),
    async run(audit, task, scheduledFor) {
      if (running.has(task.id)) return undefined
      // Before the first await, so that only one of two concurrent calls runs.
      running.add(task.id)
      let started: StartedRun | undefined
      try {
        started = await start(audit, task, scheduledFor)
      } finally {
        if (started === undefined) running.delete(task.id)
      }
      return started
    },
  }
}

function rowOf(ending: JobEnding<TaskResult>) {
  if (ending.state !== 'done') return { state: ending.state, message: ending.error, result: null }
  const { message, result } = ending.result
  return { state: ending.state, message, result: JSON.stringify(result) }
}
