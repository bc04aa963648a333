import { type Desk, instant } from '@binnacle/engine'

const PAGE_ROWS = 1000

/** Sums up what was traded in a period, for the daily report. */
export function readTradingDay({ pastOrders }: Pick<Desk, 'pastOrders'>, fromMs: number, toMs: number) {
  const sums = { fills: 0, volume: 0, fees: 0, realised: 0 }
  let before: number | undefined
  for (;;) {
    const { rows, last } = pastOrders.fills({ before, limit: PAGE_ROWS })
    for (const { at, value, fee, realised } of rows) {
      if (at < fromMs || at >= toMs) continue
      sums.fills += 1
      sums.volume += value
      sums.fees += fee
      sums.realised += realised
    }
    const oldest = rows.at(-1)
    if (oldest === undefined || rows.length < PAGE_ROWS || oldest.at < fromMs) break
    before = last
  }
  return { ...sums, ordersByStatus: pastOrders.count({ from: instant(fromMs), to: instant(toMs) }) }
}
