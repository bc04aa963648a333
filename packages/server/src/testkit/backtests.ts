import { type BarColumns, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { onTestFinished } from 'vitest'
import { type Backtests, openBacktests } from '#backtests/backtests.ts'
import { openCatalog } from '#catalog/catalog.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { type AtEnd, temporaryFolder } from './temporary-folder.ts'

/** 2026-01-05 00:00 UTC: when the recorded bars of a test begin. */
export const BARS_FROM = Date.UTC(2026, 0, 5)

/** Two days of minutes of BTCUSDT that walk about, or what is asked for instead. */
export function recordedBars(rows = 2 * 1_440): BarColumns[] {
  return [walkBars({ rows, seed: 11, startAt: BARS_FROM })]
}

/** Backtests over recorded bars in a new catalog, on one thread. */
export async function newBacktests(
  store: AdminStore,
  {
    bars = recordedBars(),
    strategiesFolder = '',
    atEnd = onTestFinished,
  }: { bars?: BarColumns[]; strategiesFolder?: string; atEnd?: AtEnd } = {},
): Promise<Backtests> {
  const folder = temporaryFolder({}, atEnd)
  const catalog = await openCatalog(folder, standardInstruments())
  for (const columns of bars) await catalog.writeBars(columns)
  const backtests = openBacktests({
    store: store.backtests,
    recorded: { ...catalog, folder },
    strategiesFolder,
    threads: 1,
  })
  atEnd(async () => {
    await backtests.close()
    catalog.close()
  })
  return backtests
}
