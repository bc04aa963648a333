import { maintenance as calls, nautilusMaintenance } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { answerInTime } from '#jobs/answer-in-time.ts'
import type { Maintenance, Started } from '#maintenance/maintenance.ts'
import type { DeskHost } from '#runtime/desk-host.ts'

const OURS_ONLY = { dryRun: false, allKeys: false }

export function addMaintenanceRoutes(app: FastifyInstance, maintenance: Maintenance): void {
  mount(app, calls.backup, ({ body }, act) => answer(maintenance.backUp(act, body.db_type)))
  mount(app, calls.optimize, ({ body }, act) => answer(maintenance.optimise(act, body.db_type)))
  mount(app, calls.clean, ({ body }, act) => {
    const { cache_type, dry_run: dryRun = false, all_keys: allKeys = false } = body
    return answer(maintenance.clean(act, cache_type, { dryRun, allKeys }))
  })

  mount(app, nautilusMaintenance.backupPostgresql, (_, act) => answer(maintenance.backUp(act, 'postgresql')))
  mount(app, nautilusMaintenance.optimizePostgresql, (_, act) =>
    answer(maintenance.optimise(act, 'postgresql')),
  )
  mount(app, nautilusMaintenance.exportParquet, (_, act) => answer(maintenance.backUp(act, 'parquet')))
  mount(app, nautilusMaintenance.cleanParquet, (_, act) =>
    answer(maintenance.clean(act, 'parquet', OURS_ONLY)),
  )
  mount(app, nautilusMaintenance.flushRedis, (_, act) => answer(maintenance.clean(act, 'redis', OURS_ONLY)))
  mount(app, nautilusMaintenance.redisStats, () => maintenance.redisStats())
}

/** What the engine keeps at hand, so that lists need no store. */
export function addCacheRoutes(app: FastifyInstance, { views }: Pick<DeskHost, 'views'>): void {
  mount(app, nautilusMaintenance.cacheStats, () => {
    const cache = views.engine().components.find(({ name }) => name === 'Cache')
    return {
      status: cache?.status ?? 'unknown',
      orders: views.orders().length,
      positions: views.positions().length,
      strategies: views.strategies().length,
      journal_seq: views.seq,
    }
  })
}

async function answer(starting: Promise<Started>) {
  const started = await starting
  return started instanceof Refused ? started : answerInTime(started, (reply) => reply)
}
