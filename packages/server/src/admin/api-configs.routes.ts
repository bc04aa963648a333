import { apiConfigs } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { type Handler, mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { notFound } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import type { ApiConfigsStore } from '#storage/admin/api-configs-store.ts'
import { nameTaken, replyWith } from './replies.ts'

const KIND = 'API configuration'

export function addApiConfigsRoutes(app: FastifyInstance, store: ApiConfigsStore): void {
  mount(app, apiConfigs.list, async () => ({ configs: await store.list() }))

  const add: Handler<typeof apiConfigs.add> = async ({ body }, { audit }) => {
    const refusals = { 'name-taken': nameTaken(KIND, body.name) }
    return replyWith(await store.add(audit, body), (config) => config, refusals)
  }
  mount(app, apiConfigs.add, onceByKey(store, apiConfigs.add, add))

  mount(app, apiConfigs.update, async ({ params, body }, { audit }) => {
    const refusals = { unknown: unknown(params.id), 'name-taken': nameTaken(KIND, body.name) }
    return replyWith(await store.update(audit, parseRowId(params.id), body), (config) => config, refusals)
  })

  mount(app, apiConfigs.remove, async ({ params }, { audit }) => {
    const toMessage = ({ name }: { name: string }) => ({ message: `${KIND} '${name}' deleted` })
    return replyWith(await store.remove(audit, parseRowId(params.id)), toMessage, {
      unknown: unknown(params.id),
    })
  })
}

function unknown(id: string) {
  return notFound(KIND, id, { list: 'GET /api/admin/api-configs' })
}
