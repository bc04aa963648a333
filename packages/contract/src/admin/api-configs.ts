import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Done, Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, lineUpTo, ONE_FIELD_SCHEMA } from '#text.ts'

export const ApiConfig = object(() => ({
  id: Id,
  name: z.string(),
  endpoint: z.string(),
  is_enabled: Flag,
})).meta({ id: 'ApiConfig' })
export type ApiConfig = z.output<typeof ApiConfig>

const FIELDS = { name: lineUpTo(100), endpoint: lineUpTo(2048), is_enabled: StrictFlag }

export const NewApiConfig = strictObject(() => ({ ...FIELDS, is_enabled: StrictFlag.default(1) })).meta({
  id: 'NewApiConfig',
})
export type NewApiConfig = z.output<typeof NewApiConfig>

export const ApiConfigChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'ApiConfigChange', ...ONE_FIELD_SCHEMA })
export type ApiConfigChange = z.output<typeof ApiConfigChange>

export const apiConfigs = {
  list: adminEndpoint('GET /api/admin/api-configs', {
    summary: 'API configurations',
    role: 'admin',
    reply: listOf('configs', ApiConfig),
  }),
  add: adminEndpoint('POST /api/admin/api-configs', {
    summary: 'Add an API configuration',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewApiConfig,
    reply: orDone(ApiConfig),
  }),
  update: adminEndpoint('PUT /api/admin/api-configs/:id', {
    summary: 'Change an API configuration; omitted fields stay unchanged',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: ApiConfigChange,
    reply: orDone(ApiConfig),
  }),
  remove: adminEndpoint('DELETE /api/admin/api-configs/:id', {
    summary: 'Delete an API configuration',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: Done,
  }),
}
