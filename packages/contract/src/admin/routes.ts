import * as z from 'zod'
import { adminEndpoint, METHODS } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Failed, failureUnlessTrue, Succeeded, successUnlessFalse } from '#outcome.ts'
import { ById, Flag, Id, ifGiven, isRecord, listOf, StrictFlag } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { JsonObjectText } from './json-object.ts'

const JsonText = z.preprocess(
  (parameters: string | Record<string, unknown> | null | undefined) =>
    isRecord(parameters) ? JSON.stringify(parameters) : (parameters ?? undefined),
  z.string().default('{}'),
)

export const Route = object(() => ({
  id: Id,
  api_endpoint_id: Id,
  method: z.string(),
  path: z.string(),
  description: z.string().nullish(),
  parameters: JsonText.describe('JSON text'),
  is_active: Flag,
  requires_auth: Flag.default(0),
  is_builtin: ifGiven(Flag).describe('1 for a built-in route, which cannot be edited or deleted'),
  is_always_on: ifGiven(Flag).describe('1 for a call that cannot be switched off'),
})).meta({ id: 'Route' })
export type Route = z.output<typeof Route>

export const RouteToggle = strictObject(() => ({ is_active: StrictFlag })).meta({ id: 'RouteToggle' })
export type RouteToggle = z.output<typeof RouteToggle>

export const RouteEdit = strictObject(() => ({
  method: z.enum(METHODS),
  path: lineUpTo(2048).regex(/^\/[^\s?#\\]*$/, 'must begin with / and contain no space, query or fragment'),
  description: textUpTo(2000),
  parameters: JsonObjectText,
  requires_auth: StrictFlag.optional(),
})).meta({ id: 'RouteEdit' })
export type RouteEdit = z.output<typeof RouteEdit>

export const NewRoute = strictObject(() => ({
  ...RouteEdit.shape,
  parameters: JsonObjectText.default('{}'),
  api_endpoint_id: Id.describe('The id of the service'),
})).meta({ id: 'NewRoute' })
export type NewRoute = z.output<typeof NewRoute>

/** One path takes both changes; a body is exactly one of them. */
export const RouteChange = z.union([RouteToggle, RouteEdit], {
  error: 'send is_active alone to toggle, or method, path, description and parameters to edit',
})
export type RouteChange = z.output<typeof RouteChange>

/** Fields that the Binnacle server adds; the specification has only success, response_time and error. */
const RESPONSE_FIELDS = {
  status: ifGiven(z.number()),
  size: ifGiven(z.number()).describe('Bytes read of the body'),
  content_type: ifGiven(z.string().nullable()),
  body: ifGiven(z.string()).describe('Its first 8 KiB as text'),
  is_cut: ifGiven(z.boolean()).describe('Whether the body is longer than shown'),
}

export const RouteTestResult = failureUnlessTrue(
  object(() => ({
    ...Succeeded.shape,
    response_time: z.number().describe('In milliseconds'),
    error: ifGiven(z.null()),
    ...RESPONSE_FIELDS,
  })),
  object(() => ({
    ...Failed.shape,
    response_time: ifGiven(z.number()),
    ...RESPONSE_FIELDS,
    confirm: ifGiven(z.literal('own_server')).describe('The field of the request that is missing to send it'),
  })),
).meta({ id: 'RouteTestResult' })
export type RouteTestResult = z.output<typeof RouteTestResult>

const RouteChangeReply = successUnlessFalse(Succeeded)

export const routes = {
  list: adminEndpoint('GET /api/admin/routes/by-endpoint/:id', {
    summary: 'The routes of a service',
    role: 'admin',
    alwaysOn: true,
    params: ById,
    reply: listOf('routes', Route),
  }),
  get: adminEndpoint('GET /api/admin/routes/:id', {
    summary: 'One route',
    role: 'admin',
    origin: 'ours',
    isVersioned: true,
    params: ById,
    reply: Route,
  }),
  add: adminEndpoint('POST /api/admin/routes', {
    summary: 'Add a route to a service',
    role: 'admin',
    status: 201,
    body: NewRoute,
    reply: RouteChangeReply,
  }),
  update: adminEndpoint('PUT /api/admin/routes/:id', {
    summary: 'Toggle or edit a route',
    role: 'admin',
    alwaysOn: true,
    isVersioned: true,
    params: ById,
    body: RouteChange,
    reply: RouteChangeReply,
  }),
  test: adminEndpoint('POST /api/admin/routes/:id/test', {
    summary:
      'Test a route; methods other than GET and HEAD are sent only with send: true, and to this server only with own_server: true too',
    role: 'admin',
    params: ById,
    body: strictObject(() => ({
      send: z.boolean().optional(),
      own_server: z.boolean().optional(),
      parameters: JsonObjectText.optional().describe('Instead of those of the route, for this test alone'),
    })).optional(),
    reply: RouteTestResult,
  }),
  remove: adminEndpoint('DELETE /api/admin/routes/:id', {
    summary: 'Delete a route',
    role: 'admin',
    isVersioned: true,
    params: ById,
    reply: RouteChangeReply,
  }),
}
