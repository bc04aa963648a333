import { callsOf } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mountUnbuilt } from '#http/mount.ts'

/** Adds the database-management API to a listener's app. */
export function addDatabaseApp(app: FastifyInstance): void {
  mountUnbuilt(app, callsOf('database'))
}
