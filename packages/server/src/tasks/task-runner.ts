import type { Act } from '#audit/act.ts'
import type { JobEnding, StartedJob } from '#jobs/job.ts'
import type { Jobs } from '#jobs/job-runner.ts'
import type { TaskRow } from '#storage/admin/admin-tables.ts'
import type { TaskRunsStore } from '#storage/admin/task-runs-store.ts'
import type { TaskKinds, TaskResult } from './task-kinds.ts'

export interface TaskRunner {
  isRunning(taskId: number): boolean
  /**
   * Runs the task as a job, for an instant of its schedule or, with null, by hand. Undefined when it is
   * running already, or when that instant was claimed before.
   */
  run(act: Act, task: TaskRow, scheduledFor: string | null): Promise<StartedRun | undefined>
}

export interface StartedRun {
  runId: number
  /** Ends when the run is in the history. */
  job: StartedJob<TaskResult>
}

interface RunnerNeeds {
  runs: TaskRunsStore
  jobs: Jobs
  kinds: TaskKinds
  onFault: (fault: unknown) => void
}

export function createTaskRunner({ runs, jobs, kinds, onFault }: RunnerNeeds): TaskRunner {
  const running = new Set<number>()

  async function start(act: Act, task: TaskRow, scheduledFor: string | null) {
    const run = await runs.claim({ taskId: task.id, scheduledFor, askedBy: act.actor })
    if (run === undefined) return undefined
    const { kind, name } = task
    const started = await jobs.start(act, { kind: `task.${kind}`, title: name, run: kinds[kind] })
    await runs.attachJob(run.id, started.id)
    const ended = started.ended.then(async (ending) => {
      await runs.end(run.id, rowOf(ending)).then(undefined, onFault)
      running.delete(task.id)
      return ending
    })
    return { runId: run.id, job: { ...started, ended } }
  }

  return {
    isRunning: (taskId) => running.has(taskId),
    async run(act, task, scheduledFor) {
      if (running.has(task.id)) return undefined
      // Before anything is awaited, so that of two that come at once one gets it.
      running.add(task.id)
      let started: StartedRun | undefined
      try {
        started = await start(act, task, scheduledFor)
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
