import { standardInstruments } from '@binnacle/engine'
import { readLinkSettings } from '#trading/adapters/adapters.ts'
import { openMarketHistory } from '#trading/catalog/market-history.ts'
import { createWarmStrategies } from '#trading/catalog/warm-strategies.ts'
import { openPerformanceReader } from '#trading/performance/performance-reader.ts'
import { startAuditProjection } from '#trading/runtime/audit-projection.ts'
import { openEmbeddedDesk, pathsIn } from '#trading/runtime/embedded-desk.ts'
import { startHistoryCheck } from '#trading/runtime/history-check.ts'
import type { TradingEngine, TradingEngineOptions } from './trading-engine.ts'

/** Opens the embedded engine on the data folder. */
export async function openEmbeddedEngine(options: TradingEngineOptions): Promise<TradingEngine> {
  const { folder, store, logger, onFault } = options
  const history = await openMarketHistory({ folder, days: options.historyDays, logger })
  const paths = { ...pathsIn(folder), strategiesFolder: options.strategiesFolder }
  const linkSettings = await readLinkSettings(store.adapters)
  const desk = await openEmbeddedDesk({ paths, logger, daily: history.daily, linkSettings })
  await folder.recordStores()
  const strategies = createWarmStrategies({ desk, history, logger })
  await strategies.all()
  const historyCheck = startHistoryCheck({ paths, logger })
  const auditing = startAuditProjection({ desk, audit: store.audit, onFault })
  return {
    desk,
    instruments: standardInstruments(),
    history,
    secondsFolder: folder.at('seconds'),
    trades: openPerformanceReader(paths.ordersFile),
    ordersFile: paths.ordersFile,
    historyCheck,
    links: desk.adapters,
    warmStrategy: strategies.one,
    waitForAudit: () => auditing.waitUntilCurrent(),
    start: () => history.start(desk),
    async close(graceMs) {
      await history.close()
      await historyCheck.close()
      await auditing.close(graceMs)
      await desk.close()
    },
  }
}
