import * as z from 'zod'
import { endpoint, METHODS } from '#endpoint.ts'
import { Failed, outcomeOf, Succeeded, verdictOf } from '#outcome.ts'
import { ById, Flag, Id, ifGiven, isRecord, listOf, StrictFlag } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'
import { JsonObjectText } from './json-object.ts'

const JsonText = z.preprocess(
  (told: string | Record<string, unknown> | null | undefined) =>
    isRecord(told) ? JSON.stringify(told) : (told ?? undefined),
  z.string().default('{}'),
)

export const Route = z
  .object({
    id: Id,
    api_endpoint_id: Id,
    method: z.string(),
    path: z.string(),
    description: z.string().nullish(),
    parameters: JsonText.describe('JSON text'),
    is_active: Flag,
    requires_auth: Flag.default(0),
    is_builtin: ifGiven(Flag).describe('1 for a call of the server itself, neither edited nor deleted'),
    is_always_on: ifGiven(Flag).describe('1 for a call that cannot be switched off'),
  })
  .meta({ id: 'Route' })
export type Route = z.output<typeof Route>

export const RouteToggle = z.strictObject({ is_active: StrictFlag }).meta({ id: 'RouteToggle' })
export type RouteToggle = z.output<typeof RouteToggle>

export const RouteEdit = z
  .strictObject({
    method: z.enum(METHODS),
    path: lineUpTo(2048).regex(/^\/[^\s?#\\]*$/, 'must begin with / and hold no space, query or fragment'),
    description: textUpTo(2000),
    parameters: JsonObjectText,
    requires_auth: StrictFlag.optional(),
  })
  .meta({ id: 'RouteEdit' })
export type RouteEdit = z.output<typeof RouteEdit>

export const NewRoute = RouteEdit.extend({
  parameters: JsonObjectText.default('{}'),
  api_endpoint_id: Id.describe('The id of the service'),
}).meta({ id: 'NewRoute' })
export type NewRoute = z.output<typeof NewRoute>

/** One path serves both changes; a body is exactly one of them. */
export const RouteChange = z.union([RouteToggle, RouteEdit], {
  error: 'send is_active alone to toggle, or method, path, description and parameters to edit',
})
export type RouteChange = z.output<typeof RouteChange>

/** What our own server tells besides; the specification knows the first three fields of the result only. */
const SEEN = {
  status: ifGiven(z.number()),
  size: ifGiven(z.number()).describe('Bytes of the body that were read'),
  content_type: ifGiven(z.string().nullable()),
  body: ifGiven(z.string()).describe('Its first 8 KiB as text'),
  is_cut: ifGiven(z.boolean()).describe('Whether the body goes on after what is shown'),
}

export const RouteTestResult = verdictOf(
  Succeeded.extend({
    response_time: z.number().describe('In milliseconds'),
    error: ifGiven(z.null()),
    ...SEEN,
  }),
  Failed.extend({ response_time: ifGiven(z.number()), ...SEEN }),
).meta({ id: 'RouteTestResult' })
export type RouteTestResult = z.output<typeof RouteTestResult>

const RouteChanged = outcomeOf(Succeeded)

export const routes = {
  list: endpoint('GET /api/admin/routes/by-endpoint/:id', {
    summary: 'The routes of a service',
    role: 'admin',
    alwaysOn: true,
    params: ById,
    reply: listOf('routes', Route),
  }),
  add: endpoint('POST /api/admin/routes', {
    summary: 'Add a route to a service',
    role: 'admin',
    status: 201,
    body: NewRoute,
    reply: RouteChanged,
  }),
  update: endpoint('PUT /api/admin/routes/:id', {
    summary: 'Toggle or edit a route',
    role: 'admin',
    alwaysOn: true,
    params: ById,
    body: RouteChange,
    reply: RouteChanged,
  }),
  test: endpoint('POST /api/admin/routes/:id/test', {
    summary: 'Try a route; methods other than GET and HEAD are sent only when the body says so',
    role: 'admin',
    params: ById,
    body: z.strictObject({ send: z.boolean().optional() }).optional(),
    reply: RouteTestResult,
  }),
  remove: endpoint('DELETE /api/admin/routes/:id', {
    summary: 'Delete a route',
    role: 'admin',
    params: ById,
    reply: RouteChanged,
  }),
}
