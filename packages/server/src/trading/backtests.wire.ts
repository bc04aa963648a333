import type { Backtest, BacktestSummary, RecordedPeriod } from '@binnacle/contract'
import type { BacktestListRow } from '#storage/admin/backtests-store.ts'
import type { BacktestView, RecordedSpan } from '#trading/backtests/backtests.ts'

export function backtestToWire(view: BacktestView, result: string | null): Backtest {
  return { ...stateToWire(view), result: result === null ? null : JSON.parse(result) }
}

export function summaryToWire(view: BacktestView<BacktestListRow>): BacktestSummary {
  const { summary } = view.row
  return { ...stateToWire(view), result: summary == null ? null : JSON.parse(summary) }
}

export function periodToWire({ instrument, from, to }: RecordedSpan): RecordedPeriod {
  return { instrument, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

function stateToWire({ row, progress }: BacktestView): Omit<Backtest, 'result'> {
  const { id, status, data_fingerprint, engine_version, rerun_of } = row
  const { created_at, started_at, finished_at, error } = row
  const request = JSON.parse(row.request)
  const times = { created_at, started_at, finished_at }
  return { id, status, progress, request, data_fingerprint, engine_version, rerun_of, ...times, error }
}
