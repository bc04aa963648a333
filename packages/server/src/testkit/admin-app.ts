import type { AtEnd } from '@binnacle/stores/testkit'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { openAdminServices } from '#admin/admin-services.ts'
import { type AdminAppOptions, addAdminApp } from '#admin/app.ts'
import { createHttpApp } from '#http/app.ts'
import { refuseSwitchedOff } from '#http/switches.ts'
import { newAdminStore, type TestStore } from './admin-store.ts'
import { silentLog } from './silent-log.ts'

export interface TestAdmin extends TestStore {
  app: FastifyInstance
}

/** The admin API on a new store, without sockets. */
export async function newAdminApp(
  atEnd: AtEnd = onTestFinished,
  options: Pick<Partial<AdminAppOptions>, 'urlOf'> = {},
): Promise<TestAdmin> {
  const { store, file } = await newAdminStore(atEnd)
  const app = createHttpApp({ logger: silentLog })
  refuseSwitchedOff(app, store.switches.isOff)
  addAdminApp(app, openAdminServices({ store, urlOf: (name) => `http://localhost/${name}`, ...options }))
  return { app, store, file }
}
