import {
  type Capability,
  callsOf,
  type HistoryProgress,
  type OpenApiDocument,
  printOpenApi,
  service,
  VERSION,
} from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { Maintenance } from '#maintenance/maintenance.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { addComponentRoutes, addEngineRoutes } from './engine.routes.ts'
import { addCacheRoutes, addMaintenanceRoutes } from './maintenance.routes.ts'
import { addOrderRoutes } from './orders.routes.ts'
import { addPositionRoutes } from './positions.routes.ts'
import { addRiskRoutes } from './risk.routes.ts'

/** CAP-10: a name stands here only when this server serves that capability's calls. */
const OFFERED: Capability[] = ['problems', 'components', 'probes', 'jobs']

export interface TradingNeeds {
  desk: DeskHost
  traderId: string
  /** Without it the calls of database maintenance are not served. */
  maintenance?: Maintenance
  /** How far the recorded market is, when there is to be one. */
  historyProgress?: () => HistoryProgress | null
}

/** Adds the trading API to a listener's app. */
export function addTradingApp(
  app: FastifyInstance,
  { desk, traderId, maintenance, historyProgress }: TradingNeeds,
): void {
  let document: OpenApiDocument | undefined
  mount(app, service.health, () => ({ status: 'ok', version: VERSION }))
  mount(app, service.capabilities, () => ({ version: VERSION, capabilities: OFFERED }))
  mount(app, service.openapi, () => {
    document ??= printOpenApi()
    return document
  })
  addEngineRoutes(app, desk, { traderId, historyProgress })
  addComponentRoutes(app, desk)
  addOrderRoutes(app, desk)
  addPositionRoutes(app, desk)
  addRiskRoutes(app, desk)
  if (maintenance !== undefined) addMaintenanceRoutes(app, maintenance)
  addCacheRoutes(app, desk)
  mountUnbuilt(app, callsOf('trading'))
}
