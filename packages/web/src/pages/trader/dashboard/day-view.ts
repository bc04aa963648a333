import type { Account, SampleMark, SampleSeries, Samples } from '@binnacle/contract'
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
  compared: ChartPoint[]
  marks: ChartMark[]
  range: ChartRange
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
  const recorded = pointsOf(seriesOf(today, CURVE_SERIES[curve])).filter(({ at }) => at < end)
  const points = now.value === undefined ? recorded : [...recorded, { at: end, value: now.value }]
  const isComparable = yesterday?.step_s === stepS
  const compared = isComparable ? pointsOf(seriesOf(yesterday, CURVE_SERIES[curve])) : []
  return {
    points,
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

/** The lowest and the highest point of the day; undefined before there are two. */
export function extremesOf(points: readonly ChartPoint[]): { low: ChartPoint; high: ChartPoint } | undefined {
  const [first, second] = points
  if (first === undefined || second === undefined) return undefined
  const pick = (isBetter: (one: number, other: number) => boolean) =>
    points.reduce((best, point) => (isBetter(point.value, best.value) ? point : best), first)
  return { low: pick((one, other) => one < other), high: pick((one, other) => one > other) }
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
