import type { App } from '@binnacle/contract'
import { type TaskClock, wallClock } from '#admin/tasks/task-clock.ts'
import { createTaskKinds } from '#admin/tasks/task-kinds.ts'
import { createTaskRunner } from '#admin/tasks/task-runner.ts'
import { createTaskScheduler } from '#admin/tasks/task-scheduler.ts'
import type { Authority } from '#config/authority.ts'
import type { AuditAnchor } from '#services/audit/audit-anchor.ts'
import { createJobs, type FailedJob } from '#services/jobs/job-runner.ts'
import type { StoreBackups } from '#services/maintenance.ts'
import { createChannels } from '#services/notifications/channels.ts'
import { createMailHostFinder } from '#services/outbound/mail-host.ts'
import { createOutbound, type Outbound } from '#services/outbound/outbound.ts'
import { createServiceProbes } from '#services/outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import type { OwnStoreCheck } from '#storage/own-store-check.ts'
import type { AdminAppOptions } from './app.ts'

interface AdminServicesOptions {
  store: AdminStore
  urlOf: (app: App) => string
  outboundHosts?: readonly Authority[]
  /** Reports unexpected errors. */
  onFault?: (fault: unknown) => void
  onJobFailure?: (job: FailedJob) => void
  onJobEnd?: (() => void) | undefined
  clock?: TaskClock
  /** Used by backup tasks, which fail without it. */
  storeBackups?: StoreBackups
  /** Used by tasks that check our own stores, which fail without it. */
  checkOwnStores?: () => Promise<OwnStoreCheck[]>
  /** Opens the anchor of the audit log, if one is configured. */
  openAnchor?: (outbound: Outbound) => AuditAnchor
}

export interface AdminServices extends AdminAppOptions {
  /** Stops scheduler and jobs, before the store is closed. Later calls wait for the first. */
  close(graceMs: number): Promise<void>
}

const PROBE_EVERY_MS = 60_000

/** Creates the services of the admin API besides its store. */
export function openAdminServices({
  store,
  urlOf,
  outboundHosts = [],
  onFault = () => {},
  onJobFailure = () => {},
  onJobEnd,
  clock = wallClock,
  storeBackups,
  checkOwnStores,
  openAnchor,
}: AdminServicesOptions): AdminServices {
  const outbound = createOutbound({ allowedHosts: outboundHosts })
  const findMailHost = createMailHostFinder(outboundHosts)
  const channels = createChannels({ settings: store.settings, outbound, findMailHost, now: clock.now })
  const anchor = openAnchor?.(outbound)
  const probes = createServiceProbes({ services: store.services, history: store.probes, outbound, urlOf })
  const jobs = createJobs({
    store: store.jobs,
    onFault,
    onFailure: onJobFailure,
    onEnd: onJobEnd,
    now: clock.now,
  })
  const kinds = createTaskKinds({ store, probes, now: clock.now, storeBackups, checkOwnStores, anchor })
  const runner = createTaskRunner({ runs: store.taskRuns, jobs, kinds, onFault })
  const scheduler = createTaskScheduler({ store, runner, clock, onFault })
  /** API-37: also while nobody looks. */
  const probing = setInterval(() => void probes.probeAll().catch(onFault), PROBE_EVERY_MS).unref()
  let closing: Promise<void> | undefined
  async function stopAll(graceMs: number): Promise<void> {
    clearInterval(probing)
    scheduler.stop()
    await jobs.close(graceMs)
    await store.taskRuns.interruptUnfinished()
  }

  return {
    store,
    urlOf,
    outbound,
    probes,
    anchor,
    channels,
    jobs,
    runner,
    scheduler,
    clock,
    close(graceMs) {
      closing ??= stopAll(graceMs)
      return closing
    },
  }
}
