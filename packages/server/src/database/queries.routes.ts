import { queries, savedQueries } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DatabaseService } from './database-service.ts'
import { answerStore } from './drivers/answer-store.ts'
import { exportRows } from './export-rows.ts'
import { formatSql } from './format-sql.ts'
import { inTime } from './statement-limit.ts'

export function addQueriesRoutes(app: FastifyInstance, service: DatabaseService): void {
  const { databases, running, statements, audit, scratch } = service
  mount(app, queries.run, ({ params: { conn }, body }, act, _key, onGone) =>
    answerStore(() => {
      const query_id = body.query_id ?? crypto.randomUUID()
      onGone(() => running.cancel(conn, query_id))
      return running.run(act, conn, { ...body, query_id })
    }),
  )

  mount(app, queries.cancel, ({ params: { conn, queryId } }, act) =>
    answerStore(async () => {
      await databases.open(conn)
      if (!running.cancel(conn, queryId)) return notRunning(queryId)
      await audit.record(act, {
        entity: 'statement',
        target: conn,
        before: null,
        after: { cancelled: queryId },
      })
      return { message: 'The statement is being stopped' }
    }),
  )

  mount(app, queries.explain, ({ params, body }, _act, _key, onGone) =>
    answerStore(async () => {
      const { driver, target } = await databases.open(params.conn)
      const explain = (signal: AbortSignal) => driver.explain(body.query, signal)
      return { plan: await inTime(target.timeLimitMs, explain, onGone) }
    }, 'body.query'),
  )

  mount(app, queries.format, ({ params, body }) =>
    answerStore(async () => {
      const { driver } = await databases.open(params.conn)
      return { query: driver.can.language === 'sql' ? formatSql(body.query) : body.query.trim() }
    }),
  )

  mount(app, queries.export, ({ params, body: { query, format } }, act, _key, onGone) =>
    answerStore(async () => {
      const { driver, target } = await databases.open(params.conn)
      const file = await exportRows(driver, { statement: query }, { format, name: 'result', scratch, onGone })
      const after = { statement: query, exported_as: format }
      await audit.record(act, { entity: 'statement', target: target.id, before: null, after })
      return file
    }, 'body.query'),
  )

  mount(app, queries.history, ({ params }) =>
    answerStore(async () => {
      const { target } = await databases.open(params.conn)
      return { history: await statements.history(target.id) }
    }),
  )
}

export function addSavedQueriesRoutes(
  app: FastifyInstance,
  { databases, statements }: DatabaseService,
): void {
  mount(app, savedQueries.list, ({ params }) =>
    answerStore(async () => {
      const { target } = await databases.open(params.conn)
      return { queries: await statements.saved(target.id) }
    }),
  )

  mount(app, savedQueries.add, ({ params, body }, act) =>
    answerStore(async () => {
      const { target } = await databases.open(params.conn)
      return statements.save(act, { ...body, connection_id: target.id, created_at: new Date().toISOString() })
    }),
  )

  mount(app, savedQueries.remove, ({ params: { conn, queryId } }, act) =>
    answerStore(async () => {
      const { target } = await databases.open(conn)
      const id = /^[1-9]\d{0,14}$/.test(queryId) ? Number(queryId) : 0
      const outcome = await statements.forget(act, target.id, id)
      return outcome.ok ? { message: `'${outcome.value.name}' is forgotten` } : unknownQuery(queryId)
    }),
  )
}

function notRunning(queryId: string): Refused {
  const fault = { field: 'path.queryId', message: 'names no running statement' }
  return new Refused('statement.ended', `No statement '${queryId}' is running; it may have ended.`, [fault])
}

function unknownQuery(queryId: string): Refused {
  const fault = { field: 'path.queryId', message: 'names no kept statement' }
  return new Refused('thing.unknown', `There is no kept statement '${queryId}'.`, [fault])
}
