import { DATA_SET_INTERVALS, type DataSetMapping } from '@binnacle/contract'
import { INTERVAL_MS } from '@binnacle/engine'
import type { TextRow } from './row-reader.ts'
import { parseTime } from './time-text.ts'

type SetInterval = (typeof DATA_SET_INTERVALS)[number]

/** How rows become bars: the bars of a file keep their length or are aggregated to the next one that there is. */
export interface BarPlan {
  readonly interval: SetInterval
  /** The distance between the rows of a file of bars; null for ticks. */
  readonly sourceMs: number | null
}

/** Returns the plan for a file by its first rows, or why it cannot be made. */
export function planBars(
  mapping: DataSetMapping,
  columns: readonly string[],
  rows: readonly TextRow[],
): BarPlan | string {
  if (mapping.kind === 'ticks') return { interval: '1m', sourceMs: null }
  if (mapping.interval !== undefined)
    return { interval: mapping.interval, sourceMs: INTERVAL_MS[mapping.interval] }
  const place = columns.indexOf(mapping.time)
  const times = rows.flatMap(({ values }) => parseTime(values[place] ?? '', mapping.time_unit) ?? [])
  const sourceMs = usualDistance(times)
  if (sourceMs === null) return 'The distance between the bars is not known. Choose their interval.'
  const interval = DATA_SET_INTERVALS.find((candidate) => INTERVAL_MS[candidate] % sourceMs === 0)
  if (interval !== undefined) return { interval, sourceMs }
  return `The rows are ${sourceMs / 1_000} s apart. Bars of ${DATA_SET_INTERVALS.join(', ')} can be imported, and shorter ones that these are multiples of.`
}

function usualDistance(times: readonly number[]): number | null {
  const sorted = [...new Set(times)].sort((one, other) => one - other)
  const counts = new Map<number, number>()
  for (let row = 1; row < sorted.length; row++) {
    const distance = (sorted[row] ?? 0) - (sorted[row - 1] ?? 0)
    counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  const [mostFrequent] = [...counts].sort(([, one], [, other]) => other - one)
  return mostFrequent?.[0] ?? null
}
