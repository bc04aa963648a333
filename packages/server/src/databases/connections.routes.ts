import { type ConnectionTest, connections, type NewConnection } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import type { DatabaseService } from './database-service.ts'
import type { Databases, OpenConnection } from './databases.ts'
import { withTimeLimit } from './statement-limit.ts'
import { catchRefusal, refusedBy, withStoreRefusals } from './store-refusals.ts'

/** Time limit of a connection test. */
const TEST_TIMEOUT_MS = 10_000

export function addConnectionsRoutes(app: FastifyInstance, service: DatabaseService): void {
  const { databases, pages } = service
  mount(app, connections.list, async () => ({ connections: await databases.list() }))

  mount(app, connections.add, async ({ body }, { audit }) => {
    const fault = await faultOf(databases, body)
    if (fault !== undefined) return fault
    const outcome = await databases.add(audit, body)
    return outcome.ok ? { success: true, id: outcome.value.id } : nameTaken(body.name)
  })

  mount(app, connections.tryOut, ({ body }, { audit }) =>
    withStoreRefusals(async () => {
      const unsaved = databases.openUnsaved(body)
      await service.audit.record(audit, { ...TEST_RECORD, target: body.name })
      return testConnection(unsaved).finally(() => unsaved.driver.close())
    }),
  )

  mount(app, connections.update, async ({ params: { conn }, body }, { audit }) => {
    if (databases.isOwn(conn)) return BUILT_IN
    const merged = await databases.applyEdit(conn, body)
    if (merged === undefined) return unknownConnection(conn)
    const fault = await faultOf(databases, merged)
    if (fault !== undefined) return fault
    const outcome = await databases.update(audit, conn, body)
    // Page keys belong to the previous store.
    pages.invalidate(conn)
    service.cache.invalidate(conn)
    return outcome.ok ? outcome.value : nameTaken(merged.name)
  })

  mount(app, connections.remove, async ({ params: { conn } }, { audit }) => {
    if (databases.isOwn(conn)) return BUILT_IN
    const outcome = await databases.remove(audit, conn)
    return outcome.ok ? { message: 'Connection removed' } : unknownConnection(conn)
  })

  mount(app, connections.test, ({ params: { conn } }, { audit }) =>
    withStoreRefusals(async () => {
      const open = await databases.open(conn)
      await service.audit.record(audit, { ...TEST_RECORD, target: conn })
      return testConnection(open)
    }),
  )
}

/** An unreachable store is no reason to refuse a connection. */
async function faultOf(databases: Databases, connection: NewConnection): Promise<Refused | undefined> {
  const checked = await catchRefusal(async () => databases.check(connection))
  return checked.ok ? undefined : refusedBy(checked.refusal)
}

async function testConnection({ driver }: OpenConnection): Promise<ConnectionTest> {
  const startMs = performance.now()
  const pinged = await catchRefusal(() => withTimeLimit(TEST_TIMEOUT_MS, (signal) => driver.ping(signal)))
  if (!pinged.ok) {
    const { message, step } = pinged.refusal
    return { success: false, error: message, ...(step !== undefined && { step }) }
  }
  return { success: true, ...pinged.value, response_time: Math.round(performance.now() - startMs) }
}

const TEST_RECORD = { entity: 'connection', before: null, after: 'tried' } as const

const BUILT_IN = new Refused(
  'connection.built-in',
  "This is one of Binnacle's own stores. It cannot be edited or removed.",
  [{ field: 'path.conn', message: "is one of Binnacle's own stores" }],
)

function unknownConnection(id: string): Refused {
  return notFound('connection', id, { field: 'path.conn', list: 'GET /api/db/connections' })
}

function nameTaken(name: string): Refused {
  const fault = { field: 'body.name', message: 'is taken by another connection' }
  return new Refused('thing.exists', `'${name}' is taken by another connection. Choose another name.`, [
    fault,
  ])
}
