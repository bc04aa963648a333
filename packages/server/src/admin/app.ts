import { type App, adminHealth, callsOf, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { addSettingsRoutes } from './settings.routes.ts'

export interface AdminNeeds {
  store: AdminStore
  /** Where an app of ours listens. */
  urlOf: (app: App) => string
}

/** Adds the admin database API to a listener's app. */
export function addAdminApp(app: FastifyInstance, { store }: AdminNeeds): void {
  mount(app, adminHealth.check, () => ({ status: 'ok', version: VERSION }))
  addSettingsRoutes(app, store.settings)
  mountUnbuilt(app, callsOf('admin'))
}
