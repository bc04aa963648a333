import { maintenance as calls, nautilusMaintenance } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { type Handler, mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { notFound, Refused } from '#http/problems.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { Maintenance, StartedMaintenance } from '#services/maintenance.ts'

const OURS_ONLY = { dryRun: false, allKeys: false }

export function addMaintenanceRoutes(app: FastifyInstance, maintenance: Maintenance): void {
  const backUp: Handler<typeof calls.backup> = ({ body }, { audit }) =>
    answer(maintenance.backUp(audit, body.db_type))
  const optimise: Handler<typeof calls.optimize> = ({ body }, { audit }) =>
    answer(maintenance.optimise(audit, body.db_type))
  const clean: Handler<typeof calls.clean> = ({ body }, { audit }) => {
    const { cache_type, dry_run: dryRun = false, all_keys: allKeys = false } = body
    return answer(maintenance.clean(audit, cache_type, { dryRun, allKeys }))
  }
  mount(app, calls.backup, onceByKey(maintenance, calls.backup, backUp))
  mount(app, calls.optimize, onceByKey(maintenance, calls.optimize, optimise))
  mount(app, calls.clean, onceByKey(maintenance, calls.clean, clean))

  const exportData: Handler<typeof calls.exportData> = async ({ body }, { audit }) => {
    const started = await maintenance.exportData(audit, body.stores, body.format)
    return started instanceof Refused ? started : answerInTime(started, (reply) => reply)
  }
  mount(app, calls.exports, () => maintenance.exports())
  mount(app, calls.exportData, onceByKey(maintenance, calls.exportData, exportData))
  mount(app, calls.exportFile, async ({ params }) => {
    const file = await maintenance.exportFile(params.name)
    return file ?? notFound('export', params.name, { list: 'GET /api/database/exports' })
  })

  mount(app, calls.status, async () => ({ stores: await maintenance.status() }))

  mount(app, nautilusMaintenance.backupPostgresql, (_, { audit }) =>
    answer(maintenance.backUp(audit, 'postgresql')),
  )
  mount(app, nautilusMaintenance.optimizePostgresql, (_, { audit }) =>
    answer(maintenance.optimise(audit, 'postgresql')),
  )
  mount(app, nautilusMaintenance.exportParquet, (_, { audit }) =>
    answer(maintenance.backUp(audit, 'parquet')),
  )
  mount(app, nautilusMaintenance.cleanParquet, (_, { audit }) =>
    answer(maintenance.clean(audit, 'parquet', OURS_ONLY)),
  )
  mount(app, nautilusMaintenance.flushRedis, (_, { audit }) =>
    answer(maintenance.clean(audit, 'redis', OURS_ONLY)),
  )
  mount(app, nautilusMaintenance.redisStats, () => maintenance.redisStats())
}

/** What the engine keeps at hand, so that lists need no store. */
export function addCacheRoutes(app: FastifyInstance, desk: Pick<Desk, 'views'>): void {
  mount(app, nautilusMaintenance.cacheStats, () => {
    // Read at each call: the rows are replaced when the engine restarts.
    const { views } = desk
    const cache = views.engine().components.find(({ name }) => name === 'Cache')
    return {
      status: cache?.status ?? 'unknown',
      orders: views.orders().length,
      positions: views.positions().length,
      strategies: views.strategies().length,
      journal_seq: views.revision,
    }
  })
}

async function answer(starting: Promise<StartedMaintenance>) {
  const started = await starting
  return started instanceof Refused ? started : answerInTime(started, (reply) => reply)
}
