import type { App } from '@binnacle/contract'
import type { AdminNeeds } from '#admin/app.ts'
import type { Authority } from '#http/authority.ts'
import { createOutbound } from '#outbound/outbound.ts'
import { createServiceProbes } from '#outbound/service-probes.ts'
import type { AdminStore } from '#storage/admin-store.ts'

interface BackOfficeOptions {
  store: AdminStore
  urlOf: (app: App) => string
  outboundHosts?: readonly Authority[]
}

/** What the admin API works with besides its store. */
export function openBackOffice({ store, urlOf, outboundHosts = [] }: BackOfficeOptions): AdminNeeds {
  const outbound = createOutbound({ allowedHosts: outboundHosts })
  const probes = createServiceProbes({ services: store.services, outbound, urlOf })
  return { store, urlOf, outbound, probes }
}
