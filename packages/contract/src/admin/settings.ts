import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Done, listOf, orDone } from '#shared.ts'
import { lineUpTo, textUpTo } from '#text.ts'

/** Values are text on the wire; numbers, booleans and null are accepted too. */
const SettingValue = z.preprocess(
  (value: string | number | boolean | null) => (typeof value === 'string' ? value : String(value ?? '')),
  z.string(),
)

export const Setting = object(() => ({
  key: z.string(),
  value: SettingValue,
  description: z.string().nullish(),
  category: z.string().nullish(),
})).meta({ id: 'Setting' })
export type Setting = z.output<typeof Setting>

/** The body of a request is refused with such a key, so an object by key could not have it. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** URLs drop path segments of one or two dots, so such a setting could not be addressed. */
const NewKey = lineUpTo(200)
  .regex(/^(?!\.{1,2}$)/, 'must not be only dots')
  .refine((key) => !RESERVED_KEYS.has(key), 'must not be __proto__, constructor or prototype')
const NewValue = textUpTo(65_536)
const Description = textUpTo(2000)
const Category = lineUpTo(100)

export const NewSetting = strictObject(() => ({
  key: NewKey,
  value: NewValue,
  description: Description.default(''),
  category: Category,
})).meta({ id: 'NewSetting' })
export type NewSetting = z.output<typeof NewSetting>

export const SettingChange = strictObject(() => ({
  value: NewValue.optional(),
  description: Description.optional(),
  category: Category.optional(),
})).meta({ id: 'SettingChange' })
export type SettingChange = z.output<typeof SettingChange>

const ByKey = strictObject(() => ({ setting_key: z.string().min(1) }))

export const settings = {
  list: adminEndpoint('GET /api/admin/settings', {
    summary: 'System settings',
    role: 'admin',
    reply: listOf('settings', Setting),
  }),
  add: adminEndpoint('POST /api/admin/settings', {
    summary: 'Add a setting',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewSetting,
    reply: orDone(Setting),
  }),
  get: adminEndpoint('GET /api/admin/settings/:setting_key', {
    summary: 'One setting',
    role: 'admin',
    origin: 'documented',
    isVersioned: true,
    params: ByKey,
    reply: Setting,
  }),
  update: adminEndpoint('PUT /api/admin/settings/:setting_key', {
    summary:
      'Change a setting; the value is sent in the query, or in the body with other fields. At least one of them is required',
    role: 'admin',
    isVersioned: true,
    params: ByKey,
    query: strictObject(() => ({ value: NewValue.optional() })),
    body: SettingChange.optional(),
    reply: Done,
  }),
  remove: adminEndpoint('DELETE /api/admin/settings/:setting_key', {
    summary: 'Delete a setting',
    role: 'admin',
    origin: 'documented',
    isVersioned: true,
    params: ByKey,
    reply: Done,
  }),
}
