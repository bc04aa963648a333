import type { Sweep, SweepMeasure, SweepResult } from '@binnacle/contract'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'

export interface HeatCell {
  /** Undefined where no set of the cell has this measure. */
  value: number | undefined
  /** The set with this value; undefined where no set of the cell has a result. */
  set: number | undefined
}

export interface HeatMap {
  /** Values of the two parameters: from the top down the largest first, across the smallest first. */
  down: readonly number[]
  across: readonly number[]
  cells: readonly (readonly HeatCell[])[]
}

/** BT-43: of the sets of a cell, which differ in other parameters, the best one counts. */
export function heatMapOf(
  sweep: Sweep,
  measure: SweepMeasure,
  downName: string,
  acrossName: string,
): HeatMap {
  const [down, across] = [sweep.names.indexOf(downName), sweep.names.indexOf(acrossName)]
  const valuesOf = (parameter: number) =>
    [...new Set(sweep.sets.map((set) => set[parameter] ?? 0))].sort((a, b) => a - b)
  const rows = valuesOf(down).toReversed()
  const columns = valuesOf(across)
  const best = new Map<string, HeatCell>()
  for (const { set, statistics } of wholeResults(sweep)) {
    const values = sweep.sets[set]
    if (statistics === null || values === undefined) continue
    const value = statistics[measure] ?? undefined
    const key = `${values[down]} ${values[across]}`
    const known = best.get(key)
    const isBest =
      value !== undefined && (known?.value === undefined || isBetter(value, known.value, measure))
    if (known === undefined || isBest) best.set(key, { value, set })
  }
  return {
    down: rows,
    across: columns,
    cells: rows.map((row) =>
      columns.map((column) => best.get(`${row} ${column}`) ?? { value: undefined, set: undefined }),
    ),
  }
}

/** From 0 for the worst to 1 for the best of the map. */
export function strengthOf(value: number, { cells }: HeatMap, measure: SweepMeasure): number {
  const all = cells.flat().flatMap((cell) => cell.value ?? [])
  const [low, high] = [Math.min(...all), Math.max(...all)]
  if (high === low) return 1
  const share = (value - low) / (high - low)
  return measure === 'max_drawdown' ? 1 - share : share
}

export function isBetter(value: number, other: number, measure: SweepMeasure): boolean {
  return measure === 'max_drawdown' ? value < other : value > other
}

/** The results of a sweep without windows, best first; sets without a value last. */
export function rankedResults(sweep: Sweep, measure: SweepMeasure): SweepResult[] {
  const measured = ({ statistics }: SweepResult) => statistics?.[measure] ?? null
  return wholeResults(sweep).toSorted((a, b) => {
    const [one, other] = [measured(a), measured(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return isBetter(one, other, measure) ? -1 : isBetter(other, one, measure) ? 1 : a.set - b.set
  })
}

/** In a walk-forward sweep the heat map and the table are of the first sample. */
function wholeResults({ results }: Sweep): SweepResult[] {
  return results.filter(({ segment }) => segment === 0)
}

export function formatMeasure(value: number | null | undefined, measure: SweepMeasure): string {
  if (value == null) return formatRatio(null)
  if (measure === 'total_return') return formatReturn(value)
  return measure === 'max_drawdown' ? formatShare(value) : formatRatio(value)
}

/** BT-38: at the pace so far; undefined before there is one. */
export function sweepTimeLeftMs(
  { done, total, started_at: start }: Pick<Sweep, 'done' | 'total' | 'started_at'>,
  now: number,
): number | undefined {
  if (done === 0 || !start) return undefined
  return (Math.max(0, now - Date.parse(start)) * (total - done)) / done
}
