import { tables } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { DatabaseService } from './database-service.ts'
import { answerStore } from './drivers/answer-store.ts'
import type { Page } from './drivers/driver.ts'
import { exportRows } from './export-rows.ts'
import { narrowingOf } from './narrowing.ts'
import { inTime } from './statement-limit.ts'

export function addTablesRoutes(app: FastifyInstance, { databases, pages, scratch }: DatabaseService): void {
  mount(app, tables.list, ({ params }, _act, _key, onGone) =>
    answerStore(async () => ({
      tables: await databases.look(params.conn, ({ driver, target }) =>
        inTime(target.timeLimitMs, (signal) => driver.tables(signal), onGone),
      ),
    })),
  )

  mount(app, tables.schema, ({ params }, _act, _key, onGone) =>
    answerStore(() =>
      databases.look(params.conn, ({ driver, target }) =>
        inTime(target.timeLimitMs, (signal) => driver.schema(params.table, signal), onGone),
      ),
    ),
  )

  mount(app, tables.data, ({ params, query: { limit, offset, ...narrowing } }, _act, _key, onGone) =>
    answerStore(() =>
      databases.look(params.conn, async ({ driver, target }) => {
        const wanted = { table: params.table, limit, offset, ...narrowingOf(driver, narrowing) }
        const request = { ...wanted, anchor: pages.anchorOf(params.conn, wanted) }
        const page = await inTime(target.timeLimitMs, (signal) => driver.page(request, signal), onGone)
        pages.remember(params.conn, wanted, page)
        return pageToWire(page)
      }),
    ),
  )

  mount(app, tables.export, ({ params, query: { format, ...narrowing } }, _act, _key, onGone) =>
    answerStore(async () => {
      const { driver } = await databases.open(params.conn)
      const source = { table: params.table, ...narrowingOf(driver, narrowing) }
      return exportRows(driver, source, { format, name: params.table, scratch, onGone })
    }),
  )
}

function pageToWire({ rows, total, totalIsEstimate, columns }: Page) {
  return { rows, total, total_is_estimate: totalIsEstimate, columns }
}
