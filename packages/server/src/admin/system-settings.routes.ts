import {
  checkSetting,
  isSystemSetting,
  type SettingDifference,
  type SettingsSectionName,
  SYSTEM_SETTING_KEYS,
  SYSTEM_SETTINGS,
  type SystemSettingKey,
  systemSettings,
} from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Attachment } from '#http/attachment.ts'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { invalidFields } from '#http/validation.ts'
import { maskSetting, type SettingsStore } from '#storage/admin/settings-store.ts'
import { isSecretName } from '#storage/audit/mask.ts'
import { MASKED } from '#storage/audit/mask-statement.ts'

/** Capability `settings`. */
export function addSystemSettingsRoutes(app: FastifyInstance, store: SettingsStore): void {
  const shownValues = () =>
    SYSTEM_SETTING_KEYS.map((key) => [key, maskSettingValue(key, store.effectiveValue(key))] as const)
  const current = async () => ({
    version: await store.version(),
    values: Object.fromEntries(shownValues()),
  })

  mount(app, systemSettings.read, current)

  mount(app, systemSettings.identity, () => ({
    system_name: store.effectiveValue('system_name'),
    environment: store.effectiveValue('environment'),
  }))

  mount(app, systemSettings.save, async ({ body }, { audit }) => {
    const values = checkValues(body.values, 'body.values')
    if (values instanceof Refused) return values
    await store.save(audit, { values })
    return current()
  })

  mount(app, systemSettings.reset, async ({ body: { section } }, { audit }) => {
    await store.save(audit, { values: defaultsOf(section) })
    return current()
  })

  mount(app, systemSettings.export, () => {
    const settings = Object.fromEntries(shownValues().filter(([key]) => !isSecretName(key)))
    const text = JSON.stringify({ format: EXPORT_FORMAT, settings }, null, 2)
    return Attachment.ofText('binnacle-settings.json', 'application/json', `${text}\n`)
  })

  mount(app, systemSettings.import, async ({ body: { settings, apply, version } }, { audit }) => {
    const values = checkValues(settings, 'body.settings')
    if (values instanceof Refused) return values
    const changes = [...values].flatMap(([key, after]) => differenceOf(key, store.effectiveValue(key), after))
    if (apply) {
      const outcome = await store.save(audit, { values, expectedVersion: version })
      if (!outcome.ok && outcome.reason === 'version-conflict') return CHANGED
    }
    return { version: await store.version(), changes }
  })

  mount(app, systemSettings.versions, async ({ query: { limit } }) => ({
    versions: (await store.versions(limit)).map(({ changes, ...version }) => ({
      ...version,
      changes: changes.map(({ key, before, after }) => ({
        key,
        before: maskSettingValue(key, before),
        after: maskSettingValue(key, after),
      })),
    })),
  }))

  mount(app, systemSettings.revert, async ({ params: { version } }, { audit }) => {
    const outcome = await store.revert(audit, parseRowId(version))
    if (outcome.ok || outcome.reason === 'unchanged') return current()
    return notFound('version', version, {
      field: 'path.version',
      list: 'GET /api/admin/system-settings/versions',
    })
  })
}

const EXPORT_FORMAT = 1

const CHANGED = new Refused(
  'version.changed',
  'The settings were changed after the preview, so nothing was applied. Choose the file again.',
)

function maskSettingValue(key: string, value: string): string {
  return maskSetting({ key, value }).value
}

function differenceOf(key: SystemSettingKey, before: string, after: string): SettingDifference[] {
  return before === after
    ? []
    : [{ key, before: maskSettingValue(key, before), after: maskSettingValue(key, after) }]
}

function defaultsOf(section: SettingsSectionName | undefined): Map<SystemSettingKey, string> {
  const keys = SYSTEM_SETTING_KEYS.filter(
    (key) => section === undefined || SYSTEM_SETTINGS[key].section === section,
  )
  return new Map(keys.map((key) => [key, SYSTEM_SETTINGS[key].default]))
}

/** Every unknown and every invalid key is named. A secret that comes back masked is left out, so it stays. */
function checkValues(
  given: Readonly<Record<string, unknown>>,
  field: string,
): Map<SystemSettingKey, string> | Refused {
  const values = new Map<SystemSettingKey, string>()
  const faults: { field: string; message: string }[] = []
  for (const [key, value] of Object.entries(given)) {
    const fault = faultOf(key, value)
    if (fault !== undefined) faults.push({ field: `${field}.${key}`, message: fault })
    else if (isSystemSetting(key) && !(isSecretName(key) && value === MASKED)) values.set(key, String(value))
  }
  return faults.length === 0 ? values : invalidFields(faults)
}

/** A file may have numbers and booleans as such. */
function faultOf(key: string, value: unknown): string | undefined {
  if (!isSystemSetting(key)) return 'is not a known setting'
  if (!['string', 'number', 'boolean'].includes(typeof value)) return 'must be text, a number or a boolean'
  return isSecretName(key) && value === MASKED ? undefined : checkSetting(key, String(value))
}
