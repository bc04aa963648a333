import { services } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { ServiceHealth, ServiceProbes } from '#services/outbound/service-probes.ts'

/** Capability `probes` (API-11). */
export function addProbesRoutes(app: FastifyInstance, probes: ServiceProbes): void {
  mount(app, services.health, async () => ({ health: (await probes.probeAll()).map(healthToWire) }))
}

function healthToWire({ service, responseTime, error }: ServiceHealth) {
  const status = error === undefined ? 'healthy' : 'unhealthy'
  return { endpoint: service.id, status, response_time: responseTime, error: error ?? null } as const
}
