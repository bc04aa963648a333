import type { App } from '@binnacle/contract'
import type { ServiceProbeRow, ServiceRow } from '#storage/admin/admin-tables.ts'
import type { ProbesStore } from '#storage/admin/probes-store.ts'
import type { ServicesStore } from '#storage/admin/services-store.ts'
import type { Outbound, OutboundOutcome } from './outbound.ts'

export interface ServiceHealth {
  service: ServiceRow
  /** In milliseconds. */
  responseTime: number
  /** API-9: undefined when it is healthy. */
  error: string | undefined
  /** The last ones, this one included, oldest first. */
  history: readonly ServiceProbeRow[]
  failuresInRow: number
}

/** API-39: fewer failures in a row than this are pending, since a single one may be a hiccup. */
export const FAILURES_UNTIL_DOWN = 3

export interface ServiceProbes {
  /** Probes every service, in the order of the list. */
  probeAll(): Promise<ServiceHealth[]>
}

interface ProbeOptions {
  services: Pick<ServicesStore, 'list'>
  history: ProbesStore
  now?: () => Date
  outbound: Outbound
  urlOf: (app: App) => string
}

/** Each probe ends within its deadline. */
const MAX_CONCURRENT_PROBES = 50

/** Concurrent calls share one round of probes. */
export function createServiceProbes(options: ProbeOptions): ServiceProbes {
  const { services, history, outbound, urlOf, now = () => new Date() } = options
  let pending: Promise<ServiceHealth[]> | undefined

  async function probe(service: ServiceRow): Promise<Probe> {
    const url = `${urlOfService(service, urlOf).replace(/\/+$/, '')}/api/health`
    const outcome = await outbound.send({ method: 'GET', url, maxBodyBytes: 0 })
    return { service, at: now(), responseTime: outcome.elapsedMs, error: errorOf(outcome) }
  }

  async function probeServices(): Promise<ServiceHealth[]> {
    const queue = (await services.list()).entries()
    const probed: Probe[] = []
    const probeNext = async () => {
      for (const [index, service] of queue) probed[index] = await probe(service)
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT_PROBES }, probeNext))
    await history.record(probed.map(rowOf))
    const recent = await history.recent()
    return probed.map((one) => healthOf(one, recent.get(one.service.id) ?? []))
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

type Probe = Pick<ServiceHealth, 'service' | 'responseTime' | 'error'> & { at: Date }

function rowOf({ service, at, responseTime, error }: Probe): ServiceProbeRow {
  return { service_id: service.id, at: at.toISOString(), response_time: responseTime, error: error ?? null }
}

function healthOf({ at: _, ...probe }: Probe, history: readonly ServiceProbeRow[]): ServiceHealth {
  const lastSuccess = history.findLastIndex(({ error }) => error === null)
  return { ...probe, history, failuresInRow: history.length - 1 - lastSuccess }
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
