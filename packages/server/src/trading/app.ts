import {
  type Capabilities,
  type Capability,
  callsOf,
  type HistoryProgress,
  service,
  VERSION,
} from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import type { LogTail } from '#http/log-tail.ts'
import { mount, mountUnbuilt } from '#http/mount.ts'
import type { Alerts } from '#services/alerts/alerts.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { Maintenance } from '#services/maintenance.ts'
import type { MemoryReader } from '#services/memory.ts'
import type { Metrics } from '#services/metrics/metrics.ts'
import type { TtlCache } from '#services/ttl-cache.ts'
import type { Samples } from '#storage/samples/samples.ts'
import type { Adapters } from '#trading/adapters/adapters.ts'
import type { Backtests } from '#trading/backtests/backtests.ts'
import type { DataSets } from '#trading/data-sets/data-sets.ts'
import type { MarketData } from '#trading/market/market-data.ts'
import type { HistoryCheck } from '#trading/runtime/history-check.ts'
import { addStream, type StreamTraffic } from '#trading/stream/stream.routes.ts'
import { addAdapterRoutes } from './adapters.routes.ts'
import { addAlertRoutes } from './alerts.routes.ts'
import { addBacktestWorkerRoutes } from './backtest-workers.routes.ts'
import { addBacktestRoutes } from './backtests.routes.ts'
import type { ComponentDetailsOptions } from './component-details.ts'
import { addDataSetRoutes } from './data-sets.routes.ts'
import { addEmergencyRoutes } from './emergency.routes.ts'
import { addComponentRoutes, addEngineRoutes } from './engine.routes.ts'
import { addEnginesRoutes, type ListedEngine } from './engines.routes.ts'
import { checkFeature } from './feature-state.ts'
import { addFeatureRoutes, addServiceRoutes } from './features.routes.ts'
import { addFillRoutes } from './fills.routes.ts'
import { addCacheRoutes, addMaintenanceRoutes } from './maintenance.routes.ts'
import { addMarketRoutes } from './market.routes.ts'
import { addMemoryRoutes } from './memory.routes.ts'
import { addMetricsRoutes } from './metrics.routes.ts'
import { addOrderHistoryRoutes } from './order-history.routes.ts'
import { addOrderHistoryCheckRoutes } from './order-history-check.routes.ts'
import { addOrderRoutes } from './orders.routes.ts'
import type { Performance } from './performance/performance.ts'
import { addPerformanceRoutes } from './performance.routes.ts'
import { addPositionRoutes } from './positions.routes.ts'
import { addPromotionRoutes } from './promotions.routes.ts'
import { addRiskRoutes } from './risk.routes.ts'
import { addSampleRoutes } from './samples.routes.ts'
import { addStrategyRoutes, type WarmStrategy } from './strategies.routes.ts'
import { addStrategyModuleRoutes } from './strategy-modules.routes.ts'
import { addSweepRoutes } from './sweeps.routes.ts'

/** CAP-10: a name stands here only when this server serves that capability's calls. */
const OFFERED: Capability[] = [
  'problems',
  'components',
  'features',
  'services',
  'settings',
  'probes',
  'jobs',
  'strategy-types',
  'trading-state',
  'emergency',
  'order-preview',
  'order-control',
  'order-history',
  'order-detail',
  'strategy-loss-limit',
  'strategy-log',
  'position-exits',
  'stream',
]

/** What only the embedded engine can do. */
const EMBEDDED_ONLY: ReadonlySet<Capability> = new Set(['strategy-log'])

/** What the trading API offers; some only where it is served. */
export function capabilitiesOf(services: OptionalServices): Capabilities {
  const { maintenance, samples, market, backtests, alerts, performance, metrics, adapters, engines } =
    services
  const optional = Object.entries({
    maintenance,
    samples,
    'market-data': market,
    backtesting: backtests,
    sweeps: backtests?.hasSweeps || undefined,
    alerts,
    performance,
    monitoring: metrics,
    adapters,
    engines,
  })
  const served = optional.filter(([, service]) => service !== undefined).map(([name]) => name)
  const isEmbedded = services.desk.views.engine().identity === undefined
  const offered = isEmbedded ? OFFERED : OFFERED.filter((name) => !EMBEDDED_ONLY.has(name))
  return { version: VERSION, capabilities: [...offered, ...served] }
}

type OptionalServices = Pick<
  TradingAppOptions,
  | 'desk'
  | 'maintenance'
  | 'samples'
  | 'market'
  | 'backtests'
  | 'performance'
  | 'alerts'
  | 'metrics'
  | 'adapters'
  | 'engines'
>

export interface TradingAppOptions {
  desk: Desk
  /** Without it the engines are not listed. */
  engines?: (() => readonly ListedEngine[]) | undefined
  traderId: string
  /** Without it the calls of database maintenance are not served. */
  maintenance?: Maintenance | undefined
  /** Without it the calls of backtests are not served. */
  backtests?: Backtests | undefined
  /** Without it the calls of adapters are not served. */
  adapters?: Adapters | undefined
  /** Without it the calls of alerts are not served. */
  alerts?: Alerts | undefined
  /** Without it the calls of the order history's check are not served. */
  historyCheck?: HistoryCheck
  /** Without it the memory call is not served. */
  memory?: MemoryReader
  /** Without it the samples are not served. */
  samples?: Samples | undefined
  /** Without it the calls of market data are not served. */
  market?: MarketData | undefined
  /** Without it data sets are not served. */
  dataSets?: DataSets | undefined
  /** Without it Performance Analytics is not served. */
  performance?: Performance | undefined
  jobs?: Jobs | undefined
  /** Without it nothing is cached. */
  cache?: TtlCache | undefined
  /** Without it monitoring is not offered. */
  metrics?: Metrics | undefined
  /** Without it components have no history. */
  componentAudit?: ComponentDetailsOptions['audit']
  /** Resolves once the journal's latest entries are in the audit log. */
  waitForAudit?: ComponentDetailsOptions['waitForAudit']
  /** Without it the stream has no log lines. */
  logs?: LogTail | undefined
  /** Counts what passes over the stream. */
  streamTraffic?: StreamTraffic | undefined
  /** How far the recorded market is, when there is to be one. */
  historyProgress?: () => HistoryProgress | null
  /** Without it a strategy warms up on the market. */
  warmStrategy?: WarmStrategy
  /** The lowest number for the id of a new strategy. */
  minStrategyNumber?: number
}

const NOT_WARMED: WarmStrategy = async () => 'Warming up on the market.'

/** Adds the trading API to a listener's app. */
export function addTradingApp(
  app: FastifyInstance,
  {
    desk,
    engines,
    traderId,
    maintenance,
    backtests,
    adapters,
    alerts,
    historyCheck,
    memory,
    samples,
    market,
    dataSets,
    performance,
    jobs,
    cache,
    metrics,
    componentAudit,
    waitForAudit,
    logs,
    streamTraffic,
    historyProgress,
    warmStrategy = NOT_WARMED,
    minStrategyNumber = 1,
  }: TradingAppOptions,
): void {
  mount(app, service.health, () => ({ status: 'ok', version: VERSION }))
  mount(app, service.capabilities, () =>
    capabilitiesOf({
      desk,
      engines,
      maintenance,
      samples,
      market,
      backtests,
      alerts,
      performance,
      metrics,
      adapters,
    }),
  )
  if (engines !== undefined) addEnginesRoutes(app, engines)
  addEngineRoutes(app, desk, { traderId, historyProgress, cache })
  addComponentRoutes(app, desk, {
    audit: componentAudit,
    waitForAudit,
    rates: metrics && (async () => (await metrics.read()).rates),
  })
  addFeatureRoutes(app, desk)
  addServiceRoutes(app, desk)
  addStrategyRoutes(app, desk, { warm: warmStrategy, minNumber: minStrategyNumber })
  addOrderRoutes(app, desk)
  addFillRoutes(app, desk)
  addPositionRoutes(app, desk)
  addEmergencyRoutes(app, desk)
  addRiskRoutes(app, desk)
  addStream(app, { desk, traderId, market, alerts, logs, traffic: streamTraffic })
  if (market !== undefined) addMarketRoutes(app, desk, { market, dataSets })
  if (dataSets !== undefined && jobs !== undefined) addDataSetRoutes(app, dataSets, jobs)
  if (backtests !== undefined) {
    const checkNewRun = () => checkFeature(desk, 'backtesting')
    addBacktestRoutes(app, backtests, checkNewRun)
    addSweepRoutes(app, backtests, checkNewRun)
    addStrategyModuleRoutes(app, backtests.modules)
    addBacktestWorkerRoutes(app, backtests.workQueue)
    addPromotionRoutes(app, { desk, runs: backtests, minNumber: minStrategyNumber })
  }
  if (adapters !== undefined) addAdapterRoutes(app, adapters)
  if (alerts !== undefined) addAlertRoutes(app, alerts)
  if (samples !== undefined) addSampleRoutes(app, samples)
  if (performance !== undefined) addPerformanceRoutes(app, desk, performance)
  if (memory !== undefined) addMemoryRoutes(app, memory)
  if (metrics !== undefined) addMetricsRoutes(app, metrics)
  addOrderHistoryRoutes(app, desk)
  if (historyCheck !== undefined) addOrderHistoryCheckRoutes(app, historyCheck)
  if (maintenance !== undefined) addMaintenanceRoutes(app, maintenance)
  addCacheRoutes(app, desk)
  mountUnbuilt(app, callsOf('trading'))
}
