import type { App } from '@binnacle/contract'
import type { ServiceRow } from '#storage/admin/admin-tables.ts'
import type { ServicesStore } from '#storage/admin/services-store.ts'
import type { Outbound } from './outbound.ts'

export interface ProbedService {
  service: ServiceRow
  /** In milliseconds. */
  responseTime: number
  /** API-9: undefined when it is healthy. */
  error: string | undefined
}

export interface ServiceProbes {
  /** How every service is, in the order of the list. */
  probeAll(): Promise<ProbedService[]>
}

interface ProbeNeeds {
  services: Pick<ServicesStore, 'list'>
  outbound: Outbound
  urlOf: (app: App) => string
}

/** At most so many probes at once; each ends within its deadline. */
const AT_ONCE = 50

/** Whoever asks while the services are being probed shares what is found. */
export function createServiceProbes({ services, outbound, urlOf }: ProbeNeeds): ServiceProbes {
  let underWay: Promise<ProbedService[]> | undefined

  async function probe(service: ServiceRow): Promise<ProbedService> {
    const url = `${urlOfService(service, urlOf).replace(/\/+$/, '')}/api/health`
    const outcome = await outbound.send({ method: 'GET', url, keepBytes: 0 })
    return { service, responseTime: outcome.elapsedMs, error: errorOf(outcome) }
  }

  async function probeEvery(): Promise<ProbedService[]> {
    const waiting = (await services.list()).entries()
    const probed: ProbedService[] = []
    const probeOneByOne = async () => {
      for (const [index, service] of waiting) probed[index] = await probe(service)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, probeOneByOne))
    return probed
  }

  return {
    probeAll() {
      underWay ??= probeEvery().finally(() => {
        underWay = undefined
      })
      return underWay
    },
  }
}

/** One of ours is wherever its listener is. */
export function urlOfService({ app, url }: ServiceRow, urlOf: (app: App) => string): string {
  return app === null ? (url ?? '') : urlOf(app)
}

type Sent = Awaited<ReturnType<Outbound['send']>>

function errorOf(outcome: Sent): string | undefined {
  if (!outcome.ok) return outcome.sentence
  return isOk(outcome.status) ? undefined : `HTTP ${outcome.status}`
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300
}
