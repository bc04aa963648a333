import { type SettingChange, settings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { invalidFields } from '#http/validation.ts'
import type { SettingsStore } from '#storage/admin/settings-store.ts'
import { answer, takenName } from './refusals.ts'
import { faultOfSetting } from './setting-values.ts'

export function addSettingsRoutes(app: FastifyInstance, store: SettingsStore): void {
  mount(app, settings.list, async () => ({ settings: await store.list() }))

  mount(app, settings.add, async ({ body }, act) => {
    const exists = takenName('setting', body.key, 'key')
    return answer(await store.add(act, body), (setting) => setting, { exists })
  })

  mount(
    app,
    settings.get,
    async ({ params }) => (await store.find(params.setting_key)) ?? unknownSetting(params.setting_key),
  )

  mount(app, settings.update, async ({ params, query, body }, act) => {
    const key = params.setting_key
    const change = changeOf(key, query.value, body)
    if (change instanceof Refused) return change
    const told = () => ({ message: `Setting '${key}' updated` })
    return answer(await store.update(act, key, change), told, { unknown: unknownSetting(key) })
  })

  mount(app, settings.remove, async ({ params }, act) => {
    const key = params.setting_key
    const told = () => ({ message: `Setting '${key}' deleted` })
    return answer(await store.remove(act, key), told, { unknown: unknownSetting(key) })
  })
}

/** The console sends the value in the query; a program may send it in the body, with other fields or alone. */
function changeOf(
  key: string,
  queryValue: string | undefined,
  body: SettingChange = {},
): SettingChange | Refused {
  if (queryValue !== undefined && body.value !== undefined) return TWO_VALUES
  const change = { ...body, value: queryValue ?? body.value }
  const fault = change.value === undefined ? undefined : faultOfSetting(key, change.value)
  const field = queryValue === undefined ? 'body.value' : 'query.value'
  if (fault !== undefined) return invalidFields([{ field, message: fault }])
  const isEmpty = Object.values(change).every((field) => field === undefined)
  return isEmpty ? NO_VALUE : change
}

const NO_VALUE = invalidFields([{ field: 'query.value', message: 'is missing, here and in the body' }])
const TWO_VALUES = new Refused(
  'request.invalid',
  'The value is both in the query and in the body. Send it once.',
  ['query.value', 'body.value'].map((field) => ({ field, message: 'is sent twice' })),
)

function unknownSetting(key: string): Refused {
  const fault = { field: 'path.setting_key', message: 'names no setting' }
  return new Refused('setting.unknown', `There is no setting '${key}'. GET /api/admin/settings lists them.`, [
    fault,
  ])
}
