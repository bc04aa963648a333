import { type ConnectionTest, connections, type NewConnection } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DatabaseService } from './database-service.ts'
import type { Databases, OpenConnection } from './databases.ts'
import { answerStore, refusedBy, settle } from './drivers/answer-store.ts'
import { inTime } from './statement-limit.ts'

/** A person who tries a connection waits no longer than this. */
const TRY_MS = 10_000

export function addConnectionsRoutes(
  app: FastifyInstance,
  { databases, pages, audit }: DatabaseService,
): void {
  mount(app, connections.list, async () => ({ connections: await databases.list() }))

  mount(app, connections.add, async ({ body }, act) => {
    const fault = await faultOf(databases, body)
    if (fault !== undefined) return fault
    const outcome = await databases.add(act, body)
    return outcome.ok ? { success: true, id: outcome.value.id } : takenName(body.name)
  })

  mount(app, connections.tryOut, ({ body }, act) =>
    answerStore(async () => {
      const loose = databases.openLoose(body)
      await audit.record(act, { ...TRIED, target: body.name })
      return tryOut(loose).finally(() => loose.driver.close())
    }),
  )

  mount(app, connections.update, async ({ params: { conn }, body }, act) => {
    if (databases.isOwn(conn)) return BUILT_IN
    const merged = await databases.merged(conn, body)
    if (merged === undefined) return unknownConnection(conn)
    const fault = await faultOf(databases, merged)
    if (fault !== undefined) return fault
    const outcome = await databases.update(act, conn, body)
    // Keys of pages belong to the store that they were read from.
    pages.forget(conn)
    return outcome.ok ? outcome.value : takenName(merged.name)
  })

  mount(app, connections.remove, async ({ params: { conn } }, act) => {
    if (databases.isOwn(conn)) return BUILT_IN
    const outcome = await databases.remove(act, conn)
    return outcome.ok ? { message: `'${outcome.value.name}' is forgotten` } : unknownConnection(conn)
  })

  mount(app, connections.test, ({ params: { conn } }, act) =>
    answerStore(async () => {
      const open = await databases.open(conn)
      await audit.record(act, { ...TRIED, target: conn })
      return tryOut(open)
    }),
  )
}

/** That its store does not answer now is no reason to refuse a connection. */
async function faultOf(databases: Databases, connection: NewConnection): Promise<Refused | undefined> {
  const checked = await settle(async () => databases.check(connection))
  return checked.ok ? undefined : refusedBy(checked.refusal)
}

async function tryOut({ driver }: OpenConnection): Promise<ConnectionTest> {
  const startMs = performance.now()
  const greeted = await settle(() => inTime(TRY_MS, (signal) => driver.ping(signal)))
  if (!greeted.ok) return { success: false, error: greeted.refusal.message }
  return { success: true, ...greeted.value, response_time: Math.round(performance.now() - startMs) }
}

const TRIED = { entity: 'connection', before: null, after: 'tried' } as const

const BUILT_IN = new Refused(
  'connection.built-in',
  "This is one of Binnacle's own stores. It is always listed and can only be read.",
  [{ field: 'path.conn', message: 'names a store of our own' }],
)

function unknownConnection(id: string): Refused {
  const fault = { field: 'path.conn', message: 'names no connection' }
  return new Refused('thing.unknown', `There is no connection '${id}'. GET /api/db/connections lists them.`, [
    fault,
  ])
}

function takenName(name: string): Refused {
  const fault = { field: 'body.name', message: 'is taken by another connection' }
  return new Refused('thing.exists', `'${name}' is taken by another connection. Choose another name.`, [
    fault,
  ])
}
