import { type App, services } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import type { ServiceRow } from '#storage/admin/admin-tables.ts'
import type { ServicesStore } from '#storage/admin/services-store.ts'
import { nameTaken, replyWith } from './replies.ts'

type UrlOf = (app: App) => string

export function addServicesRoutes(app: FastifyInstance, store: ServicesStore, urlOf: UrlOf): void {
  const toWire = (service: ServiceRow) => serviceToWire(service, urlOf)

  mount(app, services.list, async () => ({ endpoints: (await store.list()).map(toWire) }))

  mount(app, services.add, async ({ body }, { audit }) => {
    const refusals = { 'name-taken': nameTaken('service', body.name) }
    return replyWith(await store.add(audit, body), toWire, refusals)
  })

  mount(app, services.update, async ({ params, body }, { audit }) => {
    const refusals = { ...refusalsFor(params.id), 'name-taken': nameTaken('service', body.name) }
    return replyWith(await store.update(audit, parseRowId(params.id), body), toWire, refusals)
  })

  mount(app, services.remove, async ({ params }, { audit }) => {
    const toMessage = ({ name }: ServiceRow) => ({ message: `Service '${name}' deleted` })
    return replyWith(await store.remove(audit, parseRowId(params.id)), toMessage, refusalsFor(params.id))
  })
}

/** A built-in service has the address of its listener. */
function serviceToWire({ id, app, name, description, url }: ServiceRow, urlOf: UrlOf) {
  return app === null
    ? { id, name, description, url: url ?? '', is_builtin: 0 as const }
    : { id, name, description, url: urlOf(app), is_builtin: 1 as const }
}

export function unknownService(id: string): Refused {
  return notFound('service', id, { list: 'GET /api/admin/endpoints' })
}

function refusalsFor(id: string) {
  return {
    unknown: unknownService(id),
    'built-in': new Refused(
      'service.built-in',
      'Built-in services cannot be edited or deleted. Their routes can be switched off one by one.',
    ),
  }
}
