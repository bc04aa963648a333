import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'

export const ApiConfig = z
  .object({ id: Id, name: z.string(), endpoint: z.string(), is_enabled: Flag })
  .meta({ id: 'ApiConfig' })
export type ApiConfig = z.output<typeof ApiConfig>

export const NewApiConfig = z
  .strictObject({
    name: z.string().min(1),
    endpoint: z.string().min(1),
    is_enabled: StrictFlag.default(1),
  })
  .meta({ id: 'NewApiConfig' })
export type NewApiConfig = z.output<typeof NewApiConfig>

export const apiConfigs = {
  list: endpoint('GET /api/admin/api-configs', {
    summary: 'API configurations',
    role: 'admin',
    reply: listOf('configs', ApiConfig),
  }),
  add: endpoint('POST /api/admin/api-configs', {
    summary: 'Add an API configuration',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewApiConfig,
    reply: orDone(ApiConfig),
  }),
}
