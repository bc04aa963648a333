import { type App, services } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { ServiceRow } from '#storage/admin/admin-tables.ts'
import type { ServicesStore } from '#storage/admin/services-store.ts'
import { answer, takenName, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'

type UrlOf = (app: App) => string

export function addServicesRoutes(app: FastifyInstance, store: ServicesStore, urlOf: UrlOf): void {
  const toWire = (service: ServiceRow) => serviceToWire(service, urlOf)

  mount(app, services.list, async () => ({ endpoints: (await store.list()).map(toWire) }))

  mount(app, services.add, async ({ body }, act) => {
    const refusals = { 'name-taken': takenName('service', body.name) }
    return answer(await store.add(act, body), toWire, refusals)
  })

  mount(app, services.update, async ({ params, body }, act) => {
    const refusals = { ...refusalsFor(params.id), 'name-taken': takenName('service', body.name) }
    return answer(await store.update(act, rowIdOf(params.id), body), toWire, refusals)
  })

  mount(app, services.remove, async ({ params }, act) => {
    const told = ({ name }: ServiceRow) => ({ message: `Service '${name}' deleted` })
    return answer(await store.remove(act, rowIdOf(params.id)), told, refusalsFor(params.id))
  })
}

/** One of ours is wherever its listener is. */
function serviceToWire({ id, app, name, description, url }: ServiceRow, urlOf: UrlOf) {
  return app === null
    ? { id, name, description, url: url ?? '', is_builtin: 0 as const }
    : { id, name, description, url: urlOf(app), is_builtin: 1 as const }
}

export function unknownService(id: string): Refused {
  return unknownThing('service', id, 'GET /api/admin/endpoints')
}

function refusalsFor(id: string) {
  return {
    unknown: unknownService(id),
    'built-in': new Refused(
      'service.built-in',
      'This is an API of the server itself: it is neither edited nor deleted. Its routes can be switched off one by one.',
    ),
  }
}
