import { apiConfigs } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { ApiConfigsStore } from '#storage/admin/api-configs-store.ts'
import { answer, takenName, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'

const KIND = 'API configuration'

export function addApiConfigsRoutes(app: FastifyInstance, store: ApiConfigsStore): void {
  mount(app, apiConfigs.list, async () => ({ configs: await store.list() }))

  mount(app, apiConfigs.add, async ({ body }, act) => {
    const refusals = { 'name-taken': takenName(KIND, body.name) }
    return answer(await store.add(act, body), (config) => config, refusals)
  })

  mount(app, apiConfigs.update, async ({ params, body }, act) => {
    const refusals = { unknown: unknown(params.id), 'name-taken': takenName(KIND, body.name) }
    return answer(await store.update(act, rowIdOf(params.id), body), (config) => config, refusals)
  })

  mount(app, apiConfigs.remove, async ({ params }, act) => {
    const told = ({ name }: { name: string }) => ({ message: `${KIND} '${name}' deleted` })
    return answer(await store.remove(act, rowIdOf(params.id)), told, { unknown: unknown(params.id) })
  })
}

function unknown(id: string) {
  return unknownThing(KIND, id, 'GET /api/admin/api-configs')
}
