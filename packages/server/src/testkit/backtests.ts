import { type BarColumns, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { type AtEnd, temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import type { AdminStore } from '#storage/admin-store.ts'
import { type Backtests, type BacktestsOptions, openBacktests } from '#trading/backtests/backtests.ts'
import { openCatalog } from '#trading/catalog/catalog.ts'

/** 2026-01-05 00:00 UTC: when the recorded bars of a test begin. */
export const BARS_FROM = Date.UTC(2026, 0, 5)

/** Two days of BTCUSDT minute bars on a random walk, or the given ones. */
export function recordedBars(rows = 2 * 1_440): BarColumns[] {
  return [walkBars({ rows, seed: 11, startAt: BARS_FROM })]
}

interface NewBacktestsOptions {
  bars?: BarColumns[]
  strategiesFolder?: string
  dataSets?: BacktestsOptions['dataSets']
  threads?: number
  workQueue?: BacktestsOptions['workQueue']
  engine?: BacktestsOptions['engine']
  limit?: BacktestsOptions['limit']
  onFault?: (fault: unknown) => void
  /** Called each time bars are counted in the files. */
  onCount?: () => void
  atEnd?: AtEnd
}

/** Backtests over recorded bars in a new catalog, by default on one thread. */
export async function newBacktests(
  store: AdminStore,
  {
    bars = recordedBars(),
    strategiesFolder,
    dataSets,
    threads = 1,
    workQueue,
    engine,
    limit,
    onFault = () => {},
    onCount = () => {},
    atEnd = onTestFinished,
  }: NewBacktestsOptions = {},
): Promise<Backtests> {
  const folder = temporaryFolder({}, atEnd)
  const catalog = await openCatalog(folder, standardInstruments())
  for (const columns of bars) await catalog.writeBars(columns)
  const count: typeof catalog.count = (period) => {
    onCount()
    return catalog.count(period)
  }
  const backtests = openBacktests({
    store: store.backtests,
    sweepsStore: store.sweeps,
    modulesStore: store.modules,
    recorded: { ...catalog, folder, count },
    strategiesFolder: strategiesFolder ?? temporaryFolder({}, atEnd),
    dataSets,
    threads,
    workQueue,
    engine,
    ...(limit && { limit }),
    onFault,
  })
  atEnd(async () => {
    await backtests.close()
    catalog.close()
  })
  return backtests
}
