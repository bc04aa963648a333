import type { ClosedPosition, PerformanceReport } from '@binnacle/contract'
import { csvOf } from '#format/csv.ts'
import { copy } from './copy.ts'

const DAY_COLUMNS = ['start', 'pnl', 'return', 'after_gap', 'venues'] as const
const TRADE_COLUMNS = [
  'id',
  'instrument',
  'side',
  'strategy',
  'strategy_name',
  'opened_at',
  'closed_at',
  'realized_pnl',
  'fees',
  'funding',
  'result',
  'venues',
] as const

/** PERF-26: every row says whether its venues are simulated. */
export function daysCsv({ returns }: Pick<PerformanceReport, 'returns'>, isSimulated: boolean): string {
  const venues = venuesText(isSimulated)
  return csvOf(
    DAY_COLUMNS,
    returns.day.map((day) => ({ ...day, return: day.return ?? '', venues })),
  )
}

export function tradesCsv(trades: readonly ClosedPosition[], isSimulated: boolean): string {
  const venues = venuesText(isSimulated)
  return csvOf(
    TRADE_COLUMNS,
    trades.map((trade) => ({ ...trade, strategy_name: trade.strategy_name ?? '', venues })),
  )
}

/** The report as the server sent it, with the trades. */
export function reportJson(
  report: PerformanceReport,
  trades: readonly ClosedPosition[],
  isSimulated: boolean,
): string {
  return `${JSON.stringify({ venues: venuesText(isSimulated), ...report, trade_list: trades }, null, 2)}\n`
}

function venuesText(isSimulated: boolean): string {
  return isSimulated ? copy.exports.simulated : copy.exports.venues
}
