import { settings } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { SettingsStore } from '#storage/admin-store.ts'

export function addSettingsRoutes(app: FastifyInstance, store: SettingsStore): void {
  mount(app, settings.list, async () => ({ settings: await store.list() }))

  mount(app, settings.update, async ({ params, query }) => {
    const key = params.setting_key
    if (await store.update(key, query.value)) return { message: `Setting '${key}' updated` }
    return new Refused('setting.unknown', `There is no setting '${key}'. GET /api/admin/settings lists them.`)
  })
}
