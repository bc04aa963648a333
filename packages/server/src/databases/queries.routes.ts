import { queries, savedQueries } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import type { DatabaseService } from './database-service.ts'
import { exportRows } from './export-rows.ts'
import { formatSql } from './format-sql.ts'
import { withTimeLimit } from './statement-limit.ts'
import { withStoreRefusals } from './store-refusals.ts'

export function addQueriesRoutes(app: FastifyInstance, service: DatabaseService): void {
  const { databases, statements, statementStore, scratch } = service
  mount(app, queries.run, ({ params: { conn }, body }, { audit, signal }) =>
    withStoreRefusals(() => {
      const query_id = body.query_id ?? crypto.randomUUID()
      return statements.run(audit, conn, { ...body, query_id }, signal)
    }),
  )

  mount(app, queries.cancel, ({ params: { conn, queryId } }, { audit }) =>
    withStoreRefusals(async () => {
      await databases.open(conn)
      if (!statements.cancel(conn, queryId)) return notRunning(queryId)
      await service.audit.record(audit, {
        entity: 'statement',
        target: conn,
        before: null,
        after: { cancelled: queryId },
      })
      return { message: 'Cancelling the statement' }
    }),
  )

  mount(app, queries.explain, ({ params, body }, { signal }) =>
    withStoreRefusals(async () => {
      const { driver, config } = await databases.open(params.conn)
      const explain = (signal: AbortSignal) => driver.explain(body.query, signal)
      return { plan: await withTimeLimit(config.timeLimitMs, explain, signal) }
    }, 'body.query'),
  )

  mount(app, queries.format, ({ params, body }) =>
    withStoreRefusals(async () => {
      const { driver } = await databases.open(params.conn)
      if (driver.capabilities.language !== 'sql') return { query: body.query.trim() }
      return { query: formatSql(body.query, driver.kind === 'sqlite' ? 'sqlite' : 'postgresql') }
    }, 'body.query'),
  )

  mount(app, queries.export, ({ params, body: { query, format, formulas } }, { audit, signal }) =>
    withStoreRefusals(async () => {
      const { driver, config } = await databases.open(params.conn)
      const file = await exportRows(
        driver,
        { statement: query },
        { format, formulas, name: 'result', scratch, signal },
      )
      const after = { statement: query, exported_as: format }
      await service.audit.record(audit, { entity: 'statement', target: config.id, before: null, after })
      return file
    }, 'body.query'),
  )

  mount(app, queries.history, ({ params }) =>
    withStoreRefusals(async () => {
      const { config } = await databases.open(params.conn)
      return { history: await statementStore.history(config.id) }
    }),
  )
}

export function addSavedQueriesRoutes(
  app: FastifyInstance,
  { databases, statementStore }: DatabaseService,
): void {
  mount(app, savedQueries.list, ({ params }) =>
    withStoreRefusals(async () => {
      const { config } = await databases.open(params.conn)
      return { queries: await statementStore.saved(config.id) }
    }),
  )

  mount(app, savedQueries.add, ({ params, body }, { audit }) =>
    withStoreRefusals(async () => {
      const { config } = await databases.open(params.conn)
      return statementStore.save(audit, {
        ...body,
        connection_id: config.id,
        created_at: new Date().toISOString(),
      })
    }),
  )

  mount(app, savedQueries.remove, ({ params: { conn, queryId } }, { audit }) =>
    withStoreRefusals(async () => {
      const { config } = await databases.open(conn)
      const outcome = await statementStore.remove(audit, config.id, parseRowId(queryId))
      return outcome.ok
        ? { message: 'Saved query removed' }
        : notFound('saved query', queryId, { field: 'path.queryId' })
    }),
  )
}

function notRunning(queryId: string): Refused {
  const fault = { field: 'path.queryId', message: 'is not a running statement' }
  return new Refused('statement.ended', `No statement '${queryId}' is running; it may have ended.`, [fault])
}
