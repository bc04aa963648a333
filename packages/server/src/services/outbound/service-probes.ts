import type { App } from '@binnacle/contract'
import type { ServiceRow } from '#storage/admin/admin-tables.ts'
import type { ServicesStore } from '#storage/admin/services-store.ts'
import type { Outbound, OutboundOutcome } from './outbound.ts'

export interface ServiceHealth {
  service: ServiceRow
  /** In milliseconds. */
  responseTime: number
  /** API-9: undefined when it is healthy. */
  error: string | undefined
}

export interface ServiceProbes {
  /** Probes every service, in the order of the list. */
  probeAll(): Promise<ServiceHealth[]>
}

interface ProbeNeeds {
  services: Pick<ServicesStore, 'list'>
  outbound: Outbound
  urlOf: (app: App) => string
}

/** Each probe ends within its deadline. */
const MAX_CONCURRENT_PROBES = 50

/** Concurrent calls share one round of probes. */
export function createServiceProbes({ services, outbound, urlOf }: ProbeNeeds): ServiceProbes {
  let pending: Promise<ServiceHealth[]> | undefined

  async function probe(service: ServiceRow): Promise<ServiceHealth> {
    const url = `${urlOfService(service, urlOf).replace(/\/+$/, '')}/api/health`
    const outcome = await outbound.send({ method: 'GET', url, maxBodyBytes: 0 })
    return { service, responseTime: outcome.elapsedMs, error: errorOf(outcome) }
  }

  async function probeServices(): Promise<ServiceHealth[]> {
    const queue = (await services.list()).entries()
    const probed: ServiceHealth[] = []
    const probeNext = async () => {
      for (const [index, service] of queue) probed[index] = await probe(service)
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT_PROBES }, probeNext))
    return probed
  }

  return {
    probeAll() {
      pending ??= probeServices().finally(() => {
        pending = undefined
      })
      return pending
    },
  }
}

/** A built-in service has the address of its listener. */
export function urlOfService({ app, url }: ServiceRow, urlOf: (app: App) => string): string {
  return app === null ? (url ?? '') : urlOf(app)
}

function errorOf(outcome: OutboundOutcome): string | undefined {
  if (!outcome.ok) return outcome.sentence
  return isOk(outcome.status) ? undefined : `HTTP ${outcome.status}`
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300
}
