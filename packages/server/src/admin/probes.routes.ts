import { services } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import {
  FAILURES_UNTIL_DOWN,
  type ServiceHealth,
  type ServiceProbes,
} from '#services/outbound/service-probes.ts'

/** Capability `probes` (API-11). */
export function addProbesRoutes(app: FastifyInstance, probes: ServiceProbes): void {
  mount(app, services.health, async () => ({ health: (await probes.probeAll()).map(healthToWire) }))
}

function healthToWire({ service, responseTime, error, history, failuresInRow }: ServiceHealth) {
  const status = error === undefined ? 'healthy' : 'unhealthy'
  const succeeded = history.filter((probe) => probe.error === null).length
  return {
    endpoint: service.id,
    status,
    response_time: responseTime,
    error: error ?? null,
    is_pending: failuresInRow > 0 && failuresInRow < FAILURES_UNTIL_DOWN,
    uptime: history.length === 0 ? undefined : succeeded / history.length,
    history: history.map(({ service_id: _, ...probe }) => probe),
  } as const
}
