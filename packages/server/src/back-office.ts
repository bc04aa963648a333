import type { App } from '@binnacle/contract'
import type { AdminNeeds } from '#admin/app.ts'
import type { Authority } from '#http/authority.ts'
import { createJobs } from '#jobs/job-runner.ts'
import { createOutbound } from '#outbound/outbound.ts'
import { createServiceProbes } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'

interface BackOfficeOptions {
  store: AdminStore
  urlOf: (app: App) => string
  outboundHosts?: readonly Authority[]
  /** Where what nobody foresaw is told. */
  onFault?: (fault: unknown) => void
}

export interface BackOffice extends AdminNeeds {
  /** Stops what is under way; before the store is closed. */
  close(graceMs: number): Promise<void>
}

/** What the admin API works with besides its store. */
export function openBackOffice({
  store,
  urlOf,
  outboundHosts = [],
  onFault = () => {},
}: BackOfficeOptions): BackOffice {
  const outbound = createOutbound({ allowedHosts: outboundHosts })
  const probes = createServiceProbes({ services: store.services, outbound, urlOf })
  const jobs = createJobs({ store: store.jobs, onFault })
  return { store, urlOf, outbound, probes, jobs, close: jobs.close }
}
