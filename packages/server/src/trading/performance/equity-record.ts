import { type ChartInterval, type PerformancePeriod, ROLLING_DAYS } from '@binnacle/contract'
import { type DayClose, type EquitySample, MS_PER_DAY } from '@binnacle/engine'
import type { TimeRange } from '#storage/orders/trade-history.ts'
import type { SampleReply, Samples } from '#storage/samples/samples.ts'
import type { SamplePoint, SampleRange } from '#storage/samples/samples-store.ts'
import { planPeriod, stepSeconds } from './period.ts'

/** A series of the samples as it was over a period. */
export interface RecordedSeries {
  /** The last value before the period, if there is one. */
  readonly before: number | undefined
  /** The first sample in the period, in the finest interval that is stored. */
  readonly first: SamplePoint | undefined
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
  const { before, first } = read
  if (first === undefined) {
    return { ...plan, period, from: now, startEquity: equity, samples: [], gaps: [], closes: [] }
  }
  const from = before === undefined ? first.at * 1000 : plan.from
  return {
    ...plan,
    period,
    from,
    startEquity: before ?? first.last,
    samples: read.points,
    gaps: await readGaps(samples, read.points, { ...plan, from }),
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

/** Reads a series in steps, with where it begins. */
export async function readSeries(
  samples: Samples,
  series: string,
  range: TimeRange,
  interval: ChartInterval,
): Promise<RecordedSeries> {
  return (await readAll(samples, [series], range, interval)).get(series) ?? NOTHING
}

const NOTHING = { before: undefined, first: undefined, points: [] }

/** Reads several series in steps. */
export async function readAll(
  samples: Samples,
  series: readonly string[],
  { from, to }: TimeRange,
  interval: ChartInterval,
): Promise<ReadonlyMap<string, RecordedSeries>> {
  const stepS = stepSeconds(interval)
  // Samples are stored by the start of their interval, which may be before the first one and is before the end.
  const range = { from: Math.floor(from / 1000 / stepS) * stepS, to: Math.ceil(to / 1000) }
  const reply = await query(samples, series, { ...range, resolutionS: stepS < 3600 ? 60 : 3600, stepS })
  const steps = new Map(
    [...reply.points].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first] as const])),
  )
  const minutes = await narrow(samples, steps, { lengthS: stepS, resolutionS: 60 })
  const firsts = await narrow(samples, minutes, { lengthS: 60, resolutionS: 1 })
  return new Map(
    series.map((name) => [
      name,
      {
        before: reply.before.get(name)?.value,
        first: firsts.get(name),
        points: (reply.points.get(name) ?? []).map((point) => sampleOf(point, stepS, to)),
      },
    ]),
  )
}

/** PERF-40: the first sample within each interval, in a finer one while that is stored. */
async function narrow(
  samples: Samples,
  firsts: ReadonlyMap<string, SamplePoint>,
  { lengthS, resolutionS }: { lengthS: number; resolutionS: 1 | 60 },
): Promise<ReadonlyMap<string, SamplePoint>> {
  const narrowed = new Map(firsts)
  for (const [from, group] of Map.groupBy(firsts.keys(), (name) => firsts.get(name)?.at ?? 0)) {
    const range = { from, to: from + lengthS, resolutionS, stepS: resolutionS }
    for (const [name, [first]] of (await query(samples, group, range)).points)
      if (first !== undefined) narrowed.set(name, first)
  }
  return narrowed
}

function query(samples: Samples, series: readonly string[], range: SampleRange): Promise<SampleReply> {
  return samples.query({ series, range, maxMarks: 0 })
}

function sampleOf({ at, last, low }: SamplePoint, stepS: number, to: number): EquitySample {
  return { at: Math.min((at + stepS) * 1000, to), equity: last, low }
}

/** PERF-6, PERF-41: a curve in longer steps than an hour has the gaps of its hours. */
async function readGaps(
  samples: Samples,
  points: readonly EquitySample[],
  { from, to, interval }: TimeRange & { interval: ChartInterval },
): Promise<TimeRange[]> {
  const stepMs = stepSeconds(interval) * 1000
  if (stepMs <= HOUR_MS) return gapsIn(points, { from, to }, stepMs)
  const hours = await readSeries(samples, EQUITY, { from, to }, '1h')
  return gapsIn(hours.points, { from, to }, HOUR_MS)
}

const HOUR_MS = 3_600_000

function gapsIn(points: readonly EquitySample[], { from, to }: TimeRange, stepMs: number): TimeRange[] {
  const ends = [{ at: from }, ...points, { at: to + stepMs }]
  return ends.slice(1).flatMap(({ at }, index) => {
    const last = ends[index]?.at ?? from
    const gap = { from: last, to: Math.min(at - stepMs, to) }
    // A step that has just begun may have no sample yet.
    return gap.to - gap.from >= stepMs ? [gap] : []
  })
}
