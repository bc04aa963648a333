import type { Backtest, BacktestSummary, Promotion, RecordedPeriod } from '@binnacle/contract'
import { parseRowId } from '#http/row-id.ts'
import type { PromotionRow } from '#storage/admin/admin-tables.ts'
import type { BacktestListRow } from '#storage/admin/backtests-store.ts'
import type { BacktestView, RecordedSpan } from '#trading/backtests/backtests.ts'

export function backtestToWire(view: BacktestView, result: string | null): Backtest {
  return { ...stateToWire(view), result: result === null ? null : JSON.parse(result) }
}

export function summaryToWire(view: BacktestView<BacktestListRow>): BacktestSummary {
  const { summary } = view.row
  return { ...stateToWire(view), result: summary == null ? null : JSON.parse(summary) }
}

export function periodToWire({ instrument, from, to, missingMs }: RecordedSpan): RecordedPeriod {
  return {
    instrument,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    missing_s: missingMs / 1000,
  }
}

export function promotionToWire({ strategy_id, backtest_id, results, ...rest }: PromotionRow): Promotion {
  return { strategy: strategy_id, backtest: backtest_id, ...rest, results: JSON.parse(results) }
}

/** The id of a run in a path. */
export function isRunNumber(id: string): boolean {
  return parseRowId(id) !== 0
}

function stateToWire({ row, progress }: BacktestView): Omit<Backtest, 'result'> {
  const { id, status, data_fingerprint, engine_version, rerun_of } = row
  const { created_at, started_at, finished_at, error } = row
  const request = JSON.parse(row.request)
  const times = { created_at, started_at, finished_at }
  const labels = { tags: JSON.parse(row.tags ?? '[]'), note: row.note ?? '', archived: row.archived === 1 }
  return {
    id,
    status,
    progress,
    request,
    data_fingerprint,
    engine_version,
    rerun_of,
    ...times,
    error,
    ...labels,
  }
}
