import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Done, listOf, orDone } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'

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

/** A dot or two would be lost from the address of the setting. */
const NewKey = lineUpTo(200).refine((key) => key !== '.' && key !== '..', { error: 'must not be only dots' })
const NewValue = textUpTo(65_536)
const Description = textUpTo(2000)
const Category = lineUpTo(100)

export const NewSetting = z
  .strictObject({
    key: NewKey,
    value: NewValue,
    description: Description.default(''),
    category: Category,
  })
  .meta({ id: 'NewSetting' })
export type NewSetting = z.output<typeof NewSetting>

export const SettingChange = z
  .strictObject({
    value: NewValue.optional(),
    description: Description.optional(),
    category: Category.optional(),
  })
  .meta({ id: 'SettingChange' })
export type SettingChange = z.output<typeof SettingChange>

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
    summary: 'Change a setting; its value goes in the query, or in the body with other fields',
    role: 'admin',
    params: ByKey,
    query: z.strictObject({ value: NewValue.optional() }),
    body: SettingChange.optional(),
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
