import { listener, SITE_CONFIG_PATH, type SiteConfig, VERSION } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { type AdminNeeds, addAdminApp } from '#admin/app.ts'
import type { ListenerName } from '#config.ts'
import { addDatabaseApp, type DatabaseNeeds } from '#database/app.ts'
import { createHttpApp, type HttpAppOptions } from '#http/app.ts'
import { mount } from '#http/mount.ts'
import { refuseSwitchedOff } from '#http/switches.ts'
import { createMaintenance } from '#maintenance/maintenance.ts'
import { addTradingApp, type TradingNeeds } from '#trading/app.ts'
import type { Upkeep } from '#upkeep.ts'

export type Apps = Record<ListenerName, FastifyInstance>

type AppsNeeds = HttpAppOptions &
  AdminNeeds &
  DatabaseNeeds &
  Omit<TradingNeeds, 'maintenance'> & { upkeep: Upkeep }

/** One app per listener. The trading listener serves all three APIs, so that its site has one origin (0005). */
export function createApps({ logger, siteFolder, ...needs }: AppsNeeds): Apps {
  const createListenerApp = (options: Partial<HttpAppOptions> = {}) => {
    const app = createHttpApp({ logger, ...options })
    refuseSwitchedOff(app, needs.store.switches.isOff)
    mount(app, listener.health, () => ({ status: 'ok', version: VERSION }))
    return app
  }

  const trading = createListenerApp({ siteFolder })
  const maintenance = createMaintenance({ ...needs.upkeep, jobs: needs.jobs })
  addTradingApp(trading, { ...needs, maintenance })
  addAdminApp(trading, needs)
  addDatabaseApp(trading, needs)
  trading.get(SITE_CONFIG_PATH, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(ONE_ORIGIN),
  )

  const admin = createListenerApp()
  addAdminApp(admin, needs)

  const database = createListenerApp()
  addDatabaseApp(database, needs)

  return { trading, admin, database }
}

const ONE_ORIGIN: SiteConfig = { trading_api_url: '/', admin_api_url: '/', database_api_url: '/' }
