import { createLab, type Lab } from './lab.ts'

/** A lab with high limits and a quote of 50,000 to 50,001. */
export function createWealthyLab(traded = 'BTCUSDT'): Lab {
  const lab = createLab({
    traded,
    opening: {
      cash: 1_000_000,
      limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 },
    },
  })
  lab.quote({ bid: 50_000, ask: 50_001, size: 1 })
  return lab
}
