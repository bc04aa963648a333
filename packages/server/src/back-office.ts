import type { App } from '@binnacle/contract'
import type { AdminNeeds } from '#admin/app.ts'
import type { Authority } from '#http/authority.ts'
import { createJobs } from '#jobs/job-runner.ts'
import { createOutbound } from '#outbound/outbound.ts'
import { createServiceProbes } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { type TaskClock, wallClock } from '#tasks/task-clock.ts'
import { createTaskKinds, type TaskUpkeep } from '#tasks/task-kinds.ts'
import { createTaskRunner } from '#tasks/task-runner.ts'
import { createTaskScheduler } from '#tasks/task-scheduler.ts'

interface BackOfficeOptions {
  store: AdminStore
  urlOf: (app: App) => string
  outboundHosts?: readonly Authority[]
  /** Where what nobody foresaw is told. */
  onFault?: (fault: unknown) => void
  clock?: TaskClock
  /** What tasks back up; without it they find nothing to do. */
  upkeep?: TaskUpkeep
}

export interface BackOffice extends AdminNeeds {
  /** Stops what is under way, once; before the store is closed. */
  close(graceMs: number): Promise<void>
}

/** What the admin API works with besides its store. */
export function openBackOffice({
  store,
  urlOf,
  outboundHosts = [],
  onFault = () => {},
  clock = wallClock,
  upkeep,
}: BackOfficeOptions): BackOffice {
  const outbound = createOutbound({ allowedHosts: outboundHosts })
  const probes = createServiceProbes({ services: store.services, outbound, urlOf })
  const jobs = createJobs({ store: store.jobs, onFault, now: clock.now })
  const kinds = createTaskKinds({ store, probes, now: clock.now, upkeep })
  const runner = createTaskRunner({ runs: store.taskRuns, jobs, kinds, onFault })
  const scheduler = createTaskScheduler({ store, runner, clock, onFault })
  let closing: Promise<void> | undefined
  async function stopAll(graceMs: number): Promise<void> {
    scheduler.stop()
    await jobs.close(graceMs)
    await store.taskRuns.interruptUnfinished()
  }

  return {
    ...{ store, urlOf, outbound, probes, jobs, runner, scheduler, clock },
    close(graceMs) {
      closing ??= stopAll(graceMs)
      return closing
    },
  }
}
