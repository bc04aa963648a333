import { type ChartInterval, type PerformancePeriod, ROLLING_DAYS } from '@binnacle/contract'
import { type DayClose, type EquitySample, MS_PER_DAY } from '@binnacle/engine'
import type { TimeRange } from '#storage/orders/trade-history.ts'
import type { SampleReply, Samples } from '#storage/samples/samples.ts'
import { RETENTION_S, type SamplePoint, type SampleRange } from '#storage/samples/samples-store.ts'
import { planPeriod, stepSeconds } from './period.ts'

/** A series of the samples as it was over a period. */
export interface RecordedSeries {
  /** The value that the period began with; undefined when it is not known. */
  readonly start: number | undefined
  /** At the end of each interval that has a sample. */
  readonly points: readonly EquitySample[]
}

/** The equity of the account over a period. */
export interface EquityRecord {
  readonly period: PerformancePeriod
  /** The start of the period, or of the record if that is later. In milliseconds, like all times here. */
  readonly from: number
  readonly to: number
  readonly interval: ChartInterval
  readonly strategyInterval: ChartInterval
  readonly startEquity: number
  readonly samples: readonly EquitySample[]
  /** Stretches of the curve without a sample. */
  readonly gaps: readonly TimeRange[]
  /** The close of each UTC day with a sample, from the days of the rolling figures on. */
  readonly closes: readonly DayClose[]
}

const EQUITY = 'equity'

/** Reads the equity of a period. One without a record begins and ends now, with the equity that is given. */
export async function readEquity(
  samples: Samples,
  period: PerformancePeriod,
  { now, equity }: { now: number; equity: number },
): Promise<EquityRecord> {
  const early =
    period === 'All' ? 0 : planPeriod(period, now, undefined).from - (ROLLING_DAYS + 1) * MS_PER_DAY
  const closes = await readCloses(samples, EQUITY, { from: early, to: now })
  const plan = planPeriod(period, now, await firstHour(samples, closes[0]?.day))
  const read = await readSeries(samples, EQUITY, plan, plan.interval)
  const [first] = read.points
  if (first === undefined) {
    return { ...plan, period, from: now, startEquity: equity, samples: [], gaps: [], closes: [] }
  }
  const isBefore = read.before !== undefined
  const from = isBefore ? plan.from : read.startAt
  return {
    ...plan,
    period,
    from,
    startEquity: read.start ?? first.equity,
    samples: read.points,
    gaps: gapsIn(read.points, { from, to: plan.to }, stepSeconds(plan.interval) * 1000),
    closes,
  }
}

/** The hour in which the record begins, in the first day that has one. */
async function firstHour(samples: Samples, day: number | undefined): Promise<number | undefined> {
  if (day === undefined) return undefined
  const from = day / 1000
  const range = { from, to: from + MS_PER_DAY / 1000, resolutionS: 3600, stepS: 3600 } as const
  const [first] = (await query(samples, [EQUITY], range)).points.get(EQUITY) ?? []
  return first === undefined ? day : first.at * 1000
}

/** The daily closes of a series. */
export async function readCloses(
  samples: Samples,
  series: string,
  { from, to }: TimeRange,
): Promise<DayClose[]> {
  const range = { from: Math.max(0, Math.floor(from / 1000)), to: Math.ceil(to / 1000) + 1 }
  const { points } = await query(samples, [series], { ...range, resolutionS: 3600, stepS: MS_PER_DAY / 1000 })
  return (points.get(series) ?? []).map(({ at, last }) => ({ day: at * 1000, equity: last }))
}

/** Reads a series in steps, with its value at the start of the range. */
export async function readSeries(
  samples: Samples,
  series: string,
  range: TimeRange,
  interval: ChartInterval,
): Promise<RecordedSeries & { readonly before: number | undefined; readonly startAt: number }> {
  return (await readAll(samples, [series], range, interval)).get(series) ?? NOTHING
}

const NOTHING = { start: undefined, before: undefined, startAt: 0, points: [] }

/** Reads several series in steps. */
export async function readAll(
  samples: Samples,
  series: readonly string[],
  { from, to }: TimeRange,
  interval: ChartInterval,
): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof readSeries>>>> {
  const stepS = stepSeconds(interval)
  // Samples are stored by the start of their interval, which may be before the first one.
  const range = { from: Math.floor(from / 1000 / stepS) * stepS, to: Math.ceil(to / 1000) + 1 }
  const reply = await query(samples, series, { ...range, resolutionS: stepS < 3600 ? 60 : 3600, stepS })
  const firsts = series.flatMap((name) =>
    reply.before.has(name) ? [] : (reply.points.get(name)?.[0]?.at ?? []),
  )
  const fine =
    firsts.length === 0 ? undefined : await readFine(samples, series, Math.min(...firsts), stepS, to)
  return new Map(
    series.map((name) => {
      const points = reply.points.get(name) ?? []
      const before = reply.before.get(name)?.value
      const first = fine?.get(name)?.[0]
      return [
        name,
        {
          before,
          start: before ?? first?.last,
          startAt: (first?.at ?? range.from) * 1000,
          points: points.map((point) => sampleOf(point, stepS, to)),
        },
      ]
    }),
  )
}

/** The first interval in the finest steps that are stored: a record begins with its first sample. */
async function readFine(
  samples: Samples,
  series: readonly string[],
  at: number,
  stepS: number,
  now: number,
): Promise<SampleReply['points']> {
  const resolutionS = at > now / 1000 - RETENTION_S[1] + 3600 ? 1 : 60
  const range = { from: at, to: at + stepS, resolutionS, stepS: resolutionS } as const
  return (await query(samples, series, range)).points
}

function query(samples: Samples, series: readonly string[], range: SampleRange): Promise<SampleReply> {
  return samples.query({ series, range, maxMarks: 0 })
}

function sampleOf({ at, last, low }: SamplePoint, stepS: number, to: number): EquitySample {
  return { at: Math.min((at + stepS) * 1000, to), equity: last, low }
}

/** PERF-6 */
function gapsIn(points: readonly EquitySample[], { from, to }: TimeRange, stepMs: number): TimeRange[] {
  const ends = [{ at: from }, ...points, { at: to + stepMs }]
  return ends.slice(1).flatMap(({ at }, index) => {
    const last = ends[index]?.at ?? from
    const gap = { from: last, to: Math.min(at - stepMs, to) }
    // A step that has just begun may have no sample yet.
    return gap.to - gap.from >= stepMs ? [gap] : []
  })
}
