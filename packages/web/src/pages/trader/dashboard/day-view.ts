import type { Account, SampleMark, SamplePoint, SampleSeries, Samples } from '@binnacle/contract'
import { seriesOf } from '#data/samples.ts'
import { roundToZero } from '#format/money.ts'
import type { ChartMark, ChartPoint, ChartRange } from '#ui/chart/line-chart.tsx'

/** What the curve shows. */
export type Curve = 'pnl' | 'equity'

const CURVE_SERIES: Readonly<Record<Curve, string>> = { pnl: 'pnl.today', equity: 'equity' }

/** The series of the panel, in one request. */
export const DAY_SERIES = [
  'pnl.today',
  'equity',
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

/** The lowest and the highest value, with the interval in which each was. */
export interface Extremes {
  low: ChartPoint
  high: ChartPoint
}

const DAY_S = 86_400

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
  const series = seriesOf(today, CURVE_SERIES[curve])
  const recorded = pointsOf(series).filter(({ at }) => at < end)
  const points = now.value === undefined ? recorded : [...recorded, { at: end, value: now.value }]
  const isComparable = yesterday?.step_s === stepS
  const compared = isComparable ? pointsOf(seriesOf(yesterday, CURVE_SERIES[curve])) : []
  return {
    points,
    extremes: points.length < 2 ? undefined : extremesOf(series?.points ?? [], points),
    compared: compared.map(({ at, value }) => ({ at: at + DAY_S, value })).filter(({ at }) => at <= end),
    marks: today.marks.map(toChartMark),
    range: { from, to: end + stepS, stepS },
  }
}

function pointsOf(series: SampleSeries | undefined): ChartPoint[] {
  return (series?.points ?? []).map(([at, value]) => ({ at, value }))
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

/** Samples also count what was lower or higher within an interval than at its end. */
function extremesOf(samples: readonly SamplePoint[], points: readonly ChartPoint[]): Extremes | undefined {
  const lows = [...samples.map(([at, , low]) => ({ at, value: low })), ...points]
  const highs = [...samples.map(([at, , , high]) => ({ at, value: high })), ...points]
  const [low, high] = [minBy(lows, ({ value }) => value), minBy(highs, ({ value }) => -value)]
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
