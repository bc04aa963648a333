import type { Account, SampleMark, SampleSeries, Samples } from '@binnacle/contract'
import { seriesOf } from '#data/samples.ts'
import { roundToZero } from '#format/money.ts'
import type { ChartMark, ChartPoint, ChartRange } from '#ui/chart/line-chart.tsx'

/** What the curve shows. */
export type Curve = 'pnl' | 'equity'

const CURVE_SERIES: Readonly<Record<Curve, string>> = { pnl: 'pnl.today', equity: 'equity' }

export const CURVES = Object.values(CURVE_SERIES)
/** TRD-550: a day in minutes, and one more that the server counts for a range between them. */
export const CURVE_POINTS = 24 * 60 + 1

/** The series of the other figures, in one request. */
export const DAY_SERIES = [
  'pnl.realized',
  'fees',
  'exposure',
  'margin.used',
  'margin.available',
  'drawdown.max',
  'var.1d',
] as const

export interface DayChart {
  points: ChartPoint[]
  extremes: Extremes | undefined
  compared: ChartPoint[]
  marks: ChartMark[]
  range: ChartRange
}

/** The lowest and the highest point of the curve. */
export interface Extremes {
  low: ChartPoint
  high: ChartPoint
}

const DAY_S = 86_400
/** TRD-551: of one interval: its extremes and its last value. */
const POINTS_OF_SAMPLE = 3

/** The curve since 00:00 with the figure of now at its end, and the same hours of yesterday. */
export function dayChart(
  curve: Curve,
  today: Samples,
  yesterday: Samples | undefined,
  now: { at: number; value: number | undefined },
): DayChart {
  const { step_s: stepS } = today
  const from = Date.parse(today.from) / 1000
  const end = Math.floor(now.at / stepS) * stepS
  const to = end + stepS
  const recorded = pointsOf(seriesOf(today, CURVE_SERIES[curve]), stepS).filter(({ at }) => at < to)
  const points = now.value === undefined ? recorded : endingWith(now.value, end, recorded)
  const isComparable = yesterday?.step_s === stepS
  const compared = isComparable ? pointsOf(seriesOf(yesterday, CURVE_SERIES[curve]), stepS) : []
  return {
    points,
    extremes: points.length < 2 ? undefined : extremesOf(points),
    compared: compared.map(({ at, value }) => ({ at: at + DAY_S, value })).filter(({ at }) => at < to),
    marks: today.marks.map(toChartMark),
    range: { from, to, stepS: stepS / POINTS_OF_SAMPLE },
  }
}

/** In a rising interval the low comes first, in a falling one the high, as within a bar. */
function pointsOf(series: SampleSeries | undefined, stepS: number): ChartPoint[] {
  const samples = series?.points ?? []
  return samples.flatMap(([at, last, low, high], index) => {
    const isRising = last >= (samples[index - 1]?.[1] ?? last)
    const values = isRising ? [low, high, last] : [high, low, last]
    return values.map((value, place) => ({ at: at + (place * stepS) / POINTS_OF_SAMPLE, value }))
  })
}

/** The figure of now replaces the last value of the interval under way, or begins it. */
function endingWith(value: number, end: number, recorded: readonly ChartPoint[]): ChartPoint[] {
  const last = recorded.at(-1)
  const isUnderWay = last !== undefined && last.at >= end
  return isUnderWay ? [...recorded.slice(0, -1), { at: last.at, value }] : [...recorded, { at: end, value }]
}

/** Kinds are an open set. */
const MARK_TONES = new Map<string, ChartMark['tone']>([
  ['halted', 'bad'],
  ['reducing', 'warn'],
  ['active', 'accent'],
  ['limits', 'accent'],
  ['alert', 'warn'],
])

function toChartMark({ at, kind, text }: SampleMark): ChartMark {
  return { at: Date.parse(at) / 1000, tone: MARK_TONES.get(kind) ?? 'calm', text }
}

function extremesOf(points: readonly ChartPoint[]): Extremes | undefined {
  const [low, high] = [minBy(points, ({ value }) => value), minBy(points, ({ value }) => -value)]
  return low && high && { low, high }
}

function minBy(points: readonly ChartPoint[], rank: (point: ChartPoint) => number): ChartPoint | undefined {
  return points.reduce<ChartPoint | undefined>(
    (best, point) => (best === undefined || rank(point) < rank(best) ? point : best),
    undefined,
  )
}

/** How much a figure that counts from the account's start has grown today; undefined if its value at 00:00 is unknown. */
export function changeToday(
  now: number,
  series: SampleSeries | undefined,
  account: Pick<Account, 'equity' | 'day_pnl' | 'starting_capital'>,
): number | undefined {
  if (series?.before) return now - series.before.value
  // An account that had its starting capital at 00:00 began today, and the figure with it.
  const gainBefore = account.equity - account.day_pnl - account.starting_capital
  return roundToZero(gainBefore) === 0 ? now : undefined
}

/** Today's result in percent of the equity at 00:00. */
export function dayPercent({ equity, day_pnl }: Pick<Account, 'equity' | 'day_pnl'>): number {
  const start = equity - day_pnl
  return start === 0 ? 0 : (day_pnl / start) * 100
}

/** The last values of every step of the window so far; null for a gap. */
export function sparkValues(
  read: Pick<Samples, 'from' | 'step_s'> | undefined,
  series: SampleSeries | undefined,
  nowS: number,
): (number | null)[] {
  if (read === undefined || series === undefined || series.points.length === 0) return []
  const from = Date.parse(read.from) / 1000
  const values = new Map(series.points.map(([at, last]) => [at, last]))
  const first = series.points[0]?.[0] ?? from
  const count = Math.max(1, Math.floor((nowS - first) / read.step_s))
  return Array.from({ length: count }, (_, index) => values.get(first + index * read.step_s) ?? null)
}
