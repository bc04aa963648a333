import { settings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { SettingsStore } from '#storage/admin/settings-store.ts'

export function addSettingsRoutes(app: FastifyInstance, store: SettingsStore): void {
  mount(app, settings.list, async () => ({ settings: await store.list() }))

  mount(app, settings.update, async ({ params, query }, act) => {
    const key = params.setting_key
    const { ok } = await store.update(act, key, { value: query.value })
    if (ok) return { message: `Setting '${key}' updated` }
    return new Refused('setting.unknown', `There is no setting '${key}'. GET /api/admin/settings lists them.`)
  })
}
