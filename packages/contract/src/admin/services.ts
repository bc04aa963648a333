import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Id, listOf } from '#shared.ts'

/** An API service; on the wire the specification calls it an endpoint. */
export const Service = z
  .object({ id: Id, name: z.string(), description: z.string().nullish(), url: z.string() })
  .meta({ id: 'Service' })
export type Service = z.output<typeof Service>

export const HEALTH_STATUSES = ['checking', 'healthy', 'unhealthy'] as const

export const ServiceHealth = z
  .object({
    endpoint: Id.describe('The id of the service'),
    status: z.enum(HEALTH_STATUSES),
    response_time: z.number().nullish().describe('In milliseconds'),
    error: z.string().nullish().describe('HTTP {status}, the message of the error, or Connection failed'),
  })
  .meta({ id: 'ServiceHealth' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const services = {
  list: endpoint('GET /api/admin/endpoints', {
    summary: 'API services',
    role: 'admin',
    alwaysOn: true,
    reply: listOf('endpoints', Service),
  }),
  health: endpoint('GET /api/admin/endpoints/health', {
    summary: 'The health of every service, probed by the server',
    role: 'admin',
    origin: { capability: 'probes' },
    reply: listOf('health', ServiceHealth),
  }),
}
