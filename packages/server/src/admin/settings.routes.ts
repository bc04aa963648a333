import { checkSetting, type SettingChange, settings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { invalidFields } from '#http/validation.ts'
import { conditionalChangeOf, Versioned } from '#http/versions.ts'
import { maskSetting, type SettingsStore } from '#storage/admin/settings-store.ts'
import { nameTaken, replyWith } from './replies.ts'

export function addSettingsRoutes(app: FastifyInstance, store: SettingsStore): void {
  mount(app, settings.list, async () => ({ settings: (await store.list()).map(maskSetting) }))

  mount(app, settings.add, async ({ body }, { audit }) => {
    const fault = checkSetting(body.key, body.value)
    if (fault !== undefined) return invalidFields([{ field: 'body.value', message: fault }])
    const exists = nameTaken('setting', body.key, 'key')
    return replyWith(await store.add(audit, body), maskSetting, { exists })
  })

  mount(app, settings.get, async ({ params }) => {
    const setting = await store.find(params.setting_key)
    return setting === undefined
      ? unknownSetting(params.setting_key)
      : new Versioned(maskSetting(setting), setting)
  })

  const change = conditionalChangeOf(store)

  mount(app, settings.update, async ({ params, query, body }, { audit, ifMatch }) => {
    const key = params.setting_key
    const values = changeOf(key, query.value, body)
    if (values instanceof Refused) return values
    const toMessage = () => ({ message: `Setting '${key}' updated` })
    return change(
      ifMatch,
      () => store.find(key),
      async () =>
        replyWith(await store.update(audit, key, values), toMessage, { unknown: unknownSetting(key) }),
    )
  })

  mount(app, settings.remove, ({ params }, { audit, ifMatch }) => {
    const key = params.setting_key
    const toMessage = () => ({ message: `Setting '${key}' deleted` })
    return change(
      ifMatch,
      () => store.find(key),
      async () => replyWith(await store.remove(audit, key), toMessage, { unknown: unknownSetting(key) }),
    )
  })
}

/** The console sends the value in the query; other clients may send it in the body, with other fields. */
function changeOf(
  key: string,
  queryValue: string | undefined,
  body: SettingChange = {},
): SettingChange | Refused {
  if (queryValue !== undefined && body.value !== undefined) return TWO_VALUES
  const change = { ...body, value: queryValue ?? body.value }
  const fault = change.value === undefined ? undefined : checkSetting(key, change.value)
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
  return notFound('setting', key, {
    field: 'path.setting_key',
    list: 'GET /api/admin/settings',
    code: 'setting.unknown',
  })
}
