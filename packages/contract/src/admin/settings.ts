import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Done, listOf, orDone } from '#shared.ts'

/** Values are text on the wire; a backend that sends numbers, booleans or null is understood. */
const SettingValue = z.preprocess(
  (told: string | number | boolean | null) => (typeof told === 'string' ? told : String(told ?? '')),
  z.string(),
)

export const Setting = z
  .object({
    key: z.string(),
    value: SettingValue,
    description: z.string().nullish(),
    category: z.string().nullish(),
  })
  .meta({ id: 'Setting' })
export type Setting = z.output<typeof Setting>

export const NewSetting = z
  .strictObject({
    key: z.string().min(1),
    value: z.string(),
    description: z.string().default(''),
    category: z.string().min(1),
  })
  .meta({ id: 'NewSetting' })
export type NewSetting = z.output<typeof NewSetting>

const ByKey = z.strictObject({ setting_key: z.string().min(1) })

export const settings = {
  list: endpoint('GET /api/admin/settings', {
    summary: 'System settings',
    role: 'admin',
    reply: listOf('settings', Setting),
  }),
  add: endpoint('POST /api/admin/settings', {
    summary: 'Add a setting',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewSetting,
    reply: orDone(Setting),
  }),
  get: endpoint('GET /api/admin/settings/:setting_key', {
    summary: 'One setting',
    role: 'admin',
    origin: 'documented',
    params: ByKey,
    reply: Setting,
  }),
  update: endpoint('PUT /api/admin/settings/:setting_key', {
    summary: 'Change the value of a setting; the value goes in the query',
    role: 'admin',
    params: ByKey,
    query: z.strictObject({ value: z.string() }),
    reply: Done,
  }),
  remove: endpoint('DELETE /api/admin/settings/:setting_key', {
    summary: 'Delete a setting',
    role: 'admin',
    origin: 'documented',
    params: ByKey,
    reply: Done,
  }),
}
