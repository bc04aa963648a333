import { tables } from '@binnacle/contract'
import type { Page } from '@binnacle/stores'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { DatabaseService } from './database-service.ts'
import { exportRows } from './export-rows.ts'
import { sortAndFilter } from './row-filter.ts'
import { withTimeLimit } from './statement-limit.ts'
import { withStoreRefusals } from './store-refusals.ts'

export function addTablesRoutes(
  app: FastifyInstance,
  { databases, pages, cache, scratch }: DatabaseService,
): void {
  mount(app, tables.list, ({ params }, { signal }) =>
    withStoreRefusals(async () => ({
      tables: await cache.get(
        [params.conn, 'tables'],
        () =>
          databases.read(params.conn, ({ driver, config }) =>
            withTimeLimit(config.timeLimitMs, (signal) => driver.tables(signal), signal),
          ),
        // A list without counts costs little, and shows a new table at once.
        (tables) => tables.some(({ rows }) => rows !== undefined),
      ),
    })),
  )

  mount(app, tables.schema, ({ params }, { signal }) =>
    withStoreRefusals(() =>
      cache.get(
        [params.conn, 'schema', params.table],
        () =>
          databases.read(params.conn, ({ driver, config }) =>
            withTimeLimit(config.timeLimitMs, (signal) => driver.schema(params.table, signal), signal),
          ),
        ({ storage }) => storage !== undefined,
      ),
    ),
  )

  mount(app, tables.data, ({ params, query: { limit, offset, ...rowFilter } }, { signal }) =>
    withStoreRefusals(() =>
      databases.read(params.conn, async ({ driver, config }) => {
        const wanted = { table: params.table, limit, offset, ...sortAndFilter(driver, rowFilter) }
        const request = { ...wanted, anchor: pages.anchorOf(params.conn, wanted) }
        const page = await withTimeLimit(config.timeLimitMs, (signal) => driver.page(request, signal), signal)
        pages.set(params.conn, wanted, page)
        return pageToWire(page)
      }),
    ),
  )

  mount(app, tables.export, ({ params, query: { format, formulas, ...rowFilter } }, { signal }) =>
    withStoreRefusals(async () => {
      const { driver } = await databases.open(params.conn)
      const source = { table: params.table, ...sortAndFilter(driver, rowFilter) }
      return exportRows(driver, source, { format, formulas, name: params.table, scratch, signal })
    }),
  )
}

function pageToWire({ rows, total, totalIsEstimate, columns }: Page) {
  return { rows, total, total_is_estimate: totalIsEstimate, columns }
}
