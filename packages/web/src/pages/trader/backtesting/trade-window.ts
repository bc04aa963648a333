import type { BAR_INTERVALS, BacktestTrade } from '@binnacle/contract'
import type { ChartMark } from '#ui/chart/candle-view.ts'

export type BarInterval = (typeof BAR_INTERVALS)[number]

const MINUTE_MS = 60_000
export const INTERVAL_MS: Readonly<Record<string, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
}

/** Bars beside the trade, and in all. */
const BARS_AFTER = 20
const BARS_BEFORE = 60
const MAX_BARS = 1_000

/** Which bars show a trade: some before it, all of it if they are not too many, and some after it. */
export function windowOf(
  { opened_at: opened, closed_at: closed }: Pick<BacktestTrade, 'opened_at' | 'closed_at'>,
  interval: BarInterval,
): { before: string; limit: number } {
  const length = INTERVAL_MS[interval] ?? MINUTE_MS
  const held = Math.ceil((Date.parse(closed) - Date.parse(opened)) / length)
  return {
    before: new Date(Date.parse(closed) + BARS_AFTER * length).toISOString(),
    limit: Math.min(MAX_BARS, held + BARS_BEFORE + BARS_AFTER),
  }
}

/** BT-31: a buy and a sell for each trade of the instrument; what closes it says its P&L, in the colour of a gain or a loss. */
export function marksOf(
  trades: readonly BacktestTrade[],
  instrument: string,
  format: (pnl: number) => string,
): ChartMark[] {
  return trades.flatMap((trade, nth) => {
    if (trade.instrument !== instrument) return []
    const isLong = trade.side === 'LONG'
    const at = (text: string) => Math.floor(Date.parse(text) / 1000)
    return [
      { id: `${nth} open`, time: at(trade.opened_at), side: isLong ? 'buy' : 'sell' } as const,
      {
        id: `${nth} close`,
        time: at(trade.closed_at),
        side: isLong ? 'sell' : 'buy',
        tone: trade.pnl < 0 ? 'down' : 'up',
        text: format(trade.pnl),
      } as const,
    ]
  })
}
