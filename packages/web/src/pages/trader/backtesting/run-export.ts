import type { Backtest, BacktestTrade, EquityPoint } from '@binnacle/contract'
import { csvOf } from '#format/csv.ts'

/** BT-35: in every export, as in the header of every screen. */
export const SIMULATED_VENUES = 'Simulated venues'

const TRADE_COLUMNS = [
  'instrument',
  'side',
  'opened_at',
  'closed_at',
  'quantity',
  'entry_price',
  'exit_price',
  'fees',
  'funding',
  'pnl',
] as const satisfies readonly (keyof BacktestTrade)[]

const EQUITY_COLUMNS = ['at', 'equity', 'drawdown'] as const satisfies readonly (keyof EquityPoint)[]

export function tradesCsv(trades: readonly BacktestTrade[]): string {
  return csvWithVenues(TRADE_COLUMNS, trades)
}

export function equityCsv(curve: readonly EquityPoint[]): string {
  return csvWithVenues(EQUITY_COLUMNS, curve)
}

/** The whole record, as the server sent it. */
export function runJson(run: Backtest): string {
  return `${JSON.stringify({ venues: SIMULATED_VENUES, ...run }, null, 2)}\n`
}

function csvWithVenues<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, string | number>>[],
): string {
  return csvOf(
    [...columns, 'venues'],
    rows.map((row) => ({ ...row, venues: SIMULATED_VENUES })),
  )
}
