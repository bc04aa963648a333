import type { AlertRuleInput } from '@binnacle/contract'
import type { Samples } from '#storage/samples/samples.ts'
import type { SamplePoint } from '#storage/samples/samples-store.ts'
import type { RecordedPoint, TestPeriod } from './test-rule.ts'

/** Reads the recorded minutes of an instrument. */
export type ReadBars = (instrument: string, period: TestPeriod) => Promise<RecordedPoint[]>

export interface RecordedFigureOptions {
  samples?: Samples | undefined
  bars?: ReadBars | undefined
}

type WatchTarget = Pick<AlertRuleInput, 'watch' | 'subject'>

/** The samples that record what a rule watches; null if none do. */
export function seriesOf({ watch, subject }: WatchTarget): string | null {
  if (watch === 'pnl') return subject === null ? 'pnl.today' : `strategy.${subject}.pnl`
  if (watch === 'drawdown') return 'drawdown'
  return watch === 'exposure' ? 'limit.exposure' : null
}

/** What is recorded of a rule's figure; undefined if it is not recorded at all. */
export async function readRecord(
  rule: WatchTarget,
  period: TestPeriod,
  { samples, bars }: RecordedFigureOptions,
): Promise<RecordedPoint[] | undefined> {
  if (rule.watch === 'price') return rule.subject === null ? undefined : bars?.(rule.subject, period)
  if (samples === undefined) return undefined
  const series = seriesOf(rule)
  if (series !== null) return (await readSeries(samples, [series], period)).get(series)?.map(pointOf) ?? []
  return rule.watch === 'margin' ? readMargin(samples, period) : undefined
}

/** Margin in use, as a share of all margin. Both figures are of one account at one time, so the last values suffice. */
async function readMargin(samples: Samples, period: TestPeriod): Promise<RecordedPoint[]> {
  const read = await readSeries(samples, ['margin.used', 'margin.available'], period)
  const available = new Map((read.get('margin.available') ?? []).map(({ at, last }) => [at, last]))
  return (read.get('margin.used') ?? []).flatMap(({ at, last }) => {
    const total = last + (available.get(at) ?? 0)
    const share = total === 0 ? 0 : (last / total) * 100
    return { atMs: at * 1000, low: share, high: share, last: share }
  })
}

const MINUTE_S = 60

async function readSeries(samples: Samples, series: readonly string[], { fromMs, toMs }: TestPeriod) {
  const bounds = { from: Math.floor(fromMs / 1000), to: Math.ceil(toMs / 1000) }
  const range = { ...bounds, resolutionS: MINUTE_S, stepS: MINUTE_S } as const
  return (await samples.query({ series, range, maxMarks: 0 })).points
}

function pointOf({ at, last, low, high }: SamplePoint): RecordedPoint {
  return { atMs: at * 1000, last, low, high }
}
