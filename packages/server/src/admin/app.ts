import { adminHealth, callsOf, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { SettingsStore } from '#storage/admin-store.ts'
import { addSettingsRoutes } from './settings.routes.ts'

export interface AdminNeeds {
  settings: SettingsStore
}

/** Adds the admin database API to a listener's app. */
export function addAdminApp(app: FastifyInstance, { settings }: AdminNeeds): void {
  mount(app, adminHealth.check, () => ({ status: 'ok', version: VERSION }))
  addSettingsRoutes(app, settings)
  mountUnbuilt(app, callsOf('admin'))
}
