import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Done, Flag, Id, ifGiven, listOf, orDone } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, lineUpTo, ONE_FIELD_SCHEMA, textUpTo } from '#text.ts'

/** An API service; on the wire the specification calls it an endpoint. */
export const Service = object(() => ({
  id: Id,
  name: z.string(),
  description: z.string().nullish(),
  url: z.string(),
  is_builtin: ifGiven(Flag).describe('1 for a built-in API, which cannot be edited or deleted'),
})).meta({ id: 'Service' })
export type Service = z.output<typeof Service>

const FIELDS = {
  name: lineUpTo(100),
  description: textUpTo(2000),
  url: lineUpTo(2048)
    .regex(
      /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#@\\]+(\/[^?#\\]*)?$/,
      'must be an http or https address without user name, query or fragment',
    )
    .pipe(z.url({ protocol: /^https?$/ })),
}

export const NewService = strictObject(() => ({
  ...FIELDS,
  description: FIELDS.description.default(''),
})).meta({ id: 'NewService' })
export type NewService = z.output<typeof NewService>

export const ServiceChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'ServiceChange', ...ONE_FIELD_SCHEMA })
export type ServiceChange = z.output<typeof ServiceChange>

export const HEALTH_STATUSES = ['checking', 'healthy', 'unhealthy'] as const

export const ProbeRecord = object(() => ({
  at: z.string(),
  response_time: z.number().nullish(),
  error: z.string().nullish(),
})).meta({ id: 'ProbeRecord' })
export type ProbeRecord = z.output<typeof ProbeRecord>

export const ServiceHealth = object(() => ({
  endpoint: Id.describe('The id of the service'),
  status: z.enum(HEALTH_STATUSES),
  response_time: z.number().nullish().describe('In milliseconds'),
  error: z.string().nullish().describe('HTTP {status}, the message of the error, or Connection failed'),
  is_pending: ifGiven(z.boolean()).describe('The last probes failed, but too few in a row to count as down'),
  uptime: ifGiven(z.number()).describe('The share of the listed probes that succeeded, from 0 to 1'),
  history: ifGiven(z.array(ProbeRecord)).describe('The last 50 probes, oldest first'),
})).meta({ id: 'ServiceHealth' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const services = {
  list: adminEndpoint('GET /api/admin/endpoints', {
    summary: 'API services',
    role: 'admin',
    alwaysOn: true,
    reply: listOf('endpoints', Service),
  }),
  health: adminEndpoint('GET /api/admin/endpoints/health', {
    summary: 'The health of every service, probed by the server',
    role: 'admin',
    origin: { capability: 'probes' },
    reply: listOf('health', ServiceHealth),
  }),
  add: adminEndpoint('POST /api/admin/endpoints', {
    summary: 'Add an API service',
    role: 'admin',
    origin: 'ours',
    status: 201,
    body: NewService,
    reply: orDone(Service),
  }),
  update: adminEndpoint('PUT /api/admin/endpoints/:id', {
    summary: 'Change an API service; omitted fields stay unchanged',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: ServiceChange,
    reply: orDone(Service),
  }),
  remove: adminEndpoint('DELETE /api/admin/endpoints/:id', {
    summary: 'Delete an API service and its routes',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: Done,
  }),
}
