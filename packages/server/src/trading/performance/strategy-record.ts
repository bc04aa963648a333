import { type Desk, type EquitySample, MANUAL } from '@binnacle/engine'
import type { Samples } from '#storage/samples/samples.ts'
import { type EquityRecord, type RecordedSeries, readAll, readCloses, readSeries } from './equity-record.ts'

/** The result of a strategy over a period: realised and unrealised, after fees and funding. */
export interface StrategyRecord {
  readonly strategy: string
  readonly name: string | undefined
  /** Since it was added, at the start of the period. */
  readonly start: number
  readonly points: readonly EquitySample[]
}

interface KnownStrategy {
  readonly strategy: string
  readonly name: string | undefined
  readonly addedAt: number | undefined
}

/** More series than the samples hold are never asked for. */
const MAX_STRATEGIES = 90

/** Reads every strategy with a result in the period, manual orders and deleted strategies included. */
export async function readStrategies(
  samples: Samples,
  views: Desk['views'],
  { from, to, strategyInterval }: EquityRecord,
): Promise<StrategyRecord[]> {
  const known = knownStrategies(views)
  const names = known.map(({ strategy }) => seriesOf(strategy))
  const read = await readAll(samples, names, { from, to }, strategyInterval)
  return known.flatMap(({ strategy, name, addedAt }) => {
    const series = read.get(seriesOf(strategy))
    if (series === undefined || series.points.length === 0) return []
    const start = startOf(series, addedAt, from)
    const hasResult = series.points.some(({ equity }) => equity !== start)
    return hasResult || strategy !== MANUAL ? [{ strategy, name, start, points: series.points }] : []
  })
}

/**
 * The equity of the account if it had traded only this strategy: the equity at the start and the strategy's result since.
 * An idle strategy is not sampled, so its last value holds while the account is.
 */
export async function onlyStrategy(
  samples: Samples,
  views: Desk['views'],
  record: EquityRecord,
  strategy: string,
): Promise<EquityRecord> {
  const series = await readSeries(samples, seriesOf(strategy), record, record.interval)
  const addedAt = knownStrategies(views).find((known) => known.strategy === strategy)?.addedAt
  const start = startOf(series, addedAt, record.from)
  const first = record.closes[0]?.day ?? record.from
  const daily = await readCloses(samples, seriesOf(strategy), { from: first, to: record.to })
  const equityOf = (value: number) => record.startEquity + value - start
  const valueAt = createFollower(series.points, start)
  const closeAt = createFollower(
    daily.map(({ day, equity }) => ({ at: day, equity, low: equity })),
    start,
  )
  return {
    ...record,
    samples: record.samples.map(({ at }) => {
      const { equity, low } = valueAt(at)
      return { at, equity: equityOf(equity), low: equityOf(low) }
    }),
    closes: record.closes.map(({ day }) => ({ day, equity: equityOf(closeAt(day).equity) })),
  }
}

/** Returns the last point at or before a time; times must rise. The low is that of the point's own interval. */
export function createFollower(points: readonly EquitySample[], start: number) {
  let next = 0
  let value = start
  return (at: number): Pick<EquitySample, 'equity' | 'low'> => {
    let low = value
    for (let point = points[next]; point !== undefined && point.at <= at; point = points[++next]) {
      value = point.equity
      low = Math.min(low, point.low)
    }
    return { equity: value, low: Math.min(low, value) }
  }
}

/** PERF-40: what the strategy had earned when the period, or the record if that is later, began. */
function startOf({ before, first }: RecordedSeries, addedAt: number | undefined, from: number): number {
  if (before !== undefined || first === undefined) return before ?? 0
  if (first.at * 1000 <= from) return first.last
  // It was idle when the record began. Earlier versions recorded no idle strategy, whatever it had earned.
  const isFromZero = first.low <= 0 && first.high >= 0
  return addedAt !== undefined && addedAt < from && !isFromZero ? first.last : 0
}

function knownStrategies(views: Desk['views']): KnownStrategy[] {
  return [
    { strategy: MANUAL, name: undefined, addedAt: undefined },
    ...views.strategies().map(({ id, name, addedAt }) => ({ strategy: id, name, addedAt })),
    ...views.removedStrategies().map(({ id, name }) => ({ strategy: id, name, addedAt: undefined })),
  ].slice(0, MAX_STRATEGIES)
}

function seriesOf(strategy: string): string {
  return `strategy.${strategy}.pnl`
}
