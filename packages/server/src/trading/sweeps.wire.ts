import type { LookAhead, NewSweep, Sweep, SweepResult, SweepSegment, SweepSummary } from '@binnacle/contract'
import type { LookAheadReport } from '@binnacle/engine'
import type { SweepResultRow } from '#storage/admin/admin-tables.ts'
import type { SweepListRow } from '#storage/admin/sweeps-store.ts'
import { bestOf, deflatedSharpe, type SetFigures, walkForward } from '#trading/backtests/sweep-report.ts'

export function sweepToSummary(row: SweepListRow): SweepSummary {
  const { id, status, done, stopped_early, created_at, started_at, finished_at, error } = row
  const sets: number[][] = JSON.parse(row.sets)
  const segments: SweepSegment[] = JSON.parse(row.segments)
  return {
    id,
    status,
    request: JSON.parse(row.request),
    total: sets.length * segments.length,
    done,
    stopped_early: stopped_early === 1,
    created_at,
    started_at,
    finished_at,
    error,
    best: row.best === null ? null : JSON.parse(row.best),
  }
}

export function sweepToWire(row: SweepListRow, results: readonly SweepResultRow[]): Sweep {
  const request: NewSweep = JSON.parse(row.request)
  const segments: SweepSegment[] = JSON.parse(row.segments)
  const figures = results.flatMap(figuresOf)
  const isWhole = request.windows === undefined
  return {
    ...sweepToSummary(row),
    best: isWhole ? bestOf(figures, request.measure) : null,
    names: JSON.parse(row.names),
    sets: JSON.parse(row.sets),
    segments,
    results: results.map(resultToWire),
    deflated_sharpe: isWhole ? deflatedSharpe(figures) : null,
    walk_forward: walkForward(segments, figures, request.measure),
  }
}

function resultToWire(row: SweepResultRow): SweepResult {
  const { set_number: set, segment, hash, error } = row
  const [figures] = figuresOf(row)
  if (figures === undefined) return { set, segment, statistics: null, hash, error }
  const { statistics, orders, denied_orders } = figures
  return { set, segment, statistics, orders, denied_orders, hash, error }
}

function figuresOf({ set_number: set, segment, figures }: SweepResultRow): SetFigures[] {
  return figures === null ? [] : [{ set, segment, ...JSON.parse(figures) }]
}

export function lookAheadToWire({ cuts, decisions, difference }: LookAheadReport): LookAhead {
  return {
    status: difference !== null ? 'failed' : decisions === 0 ? 'nothing' : 'passed',
    cuts,
    orders: decisions,
    at: difference === null ? null : new Date(difference.at).toISOString(),
    with_later_bars: difference?.whole ?? null,
    without: difference?.cut ?? null,
  }
}
