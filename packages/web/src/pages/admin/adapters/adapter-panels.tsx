import type { Adapter, Samples } from '@binnacle/contract'
import type { HistoryRange } from '#data/monitoring.ts'
import { seriesOf } from '#data/samples.ts'
import { formatInstant } from '#format/time.ts'
import { Segments } from '#ui/control/segments.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Trend } from '#ui/figure/trend.tsx'
import { Card } from '#ui/frame/card.tsx'
import type { Tone } from '#ui/look/tone.ts'
import classes from './live-adapters.module.css'
import { live, RESULTS } from './live-copy.ts'

export interface AdapterPanelProps {
  adapter: Adapter
}

const RESULT_TONES: Readonly<Record<string, Tone>> = { passed: 'good', failed: 'bad' }

/** ADAPT-11: each step with its result and time. */
export function AdapterTestReport({ adapter: { name, last_test: test } }: AdapterPanelProps) {
  if (test === undefined) {
    return (
      <Card title={live.testOf(name)}>
        <p className={classes.note}>{live.noTest}</p>
      </Card>
    )
  }
  return (
    <Card
      title={
        <>
          {live.testOf(name)}{' '}
          <Badge tone={test.passed ? 'good' : 'bad'}>{test.passed ? live.passed : live.failed}</Badge>
        </>
      }
      aside={`${formatInstant(test.at)}, ${live.testedBy(test)}`}
    >
      <ol className={classes.steps} aria-label={live.testOf(name)}>
        {test.steps.map(({ name: step, result, detail, ms }) => (
          <li key={step}>
            <span>{step}</span>
            <Badge tone={RESULT_TONES[result] ?? 'calm'}>{RESULTS[result] ?? result}</Badge>
            <span className={classes.detail}>{detail}</span>
            <span className={classes.ms}>{ms === null || ms === undefined ? '—' : `${ms} ms`}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

export function AdapterLog({ adapter: { name, log } }: AdapterPanelProps) {
  return (
    <Card title={live.happened(name)}>
      {log.length === 0 ? (
        <p className={classes.note}>{live.nothing}</p>
      ) : (
        <ul className={classes.log}>
          {log.slice(0, 12).map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <time dateTime={at}>{at.slice(11, 19)}</time>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

export interface AdapterHistoryProps {
  adapter: Adapter
  range: HistoryRange
  ranges: readonly HistoryRange[]
  /** Undefined until loaded. */
  history: Samples | undefined
  onRange: (range: HistoryRange) => void
}

/** ADAPT-27: the recorded round trips of the chosen adapter. */
export function AdapterHistory({ adapter, range, ranges, history, onRange }: AdapterHistoryProps) {
  const { name, latency } = adapter
  if (latency?.series === undefined) return null
  const points = (seriesOf(history, latency.series)?.points ?? []).map(([at, value]) => ({ at, value }))
  const last = points.at(-1)
  return (
    <Card
      title={live.history(name)}
      actions={
        <Segments
          label={live.range}
          labelHidden
          options={ranges.map((value) => ({ value, label: value }))}
          value={range}
          onChange={onRange}
        />
      }
    >
      {history === undefined || last === undefined ? (
        <p className={classes.note}>{history === undefined ? '' : live.noHistory}</p>
      ) : (
        <Trend
          label={live.historySentence(name, live.ms(last.value))}
          points={points}
          range={{ from: Date.parse(history.from) / 1000, to: Date.parse(history.to) / 1000 }}
          gapS={history.gap_s}
          format={live.ms}
          base={0}
        />
      )}
    </Card>
  )
}

export interface AdapterHistogramsProps {
  adapters: readonly Adapter[]
}

const BIN_MS = 10

/** The round trips of the adapters that have any. */
export function AdapterHistograms({ adapters }: AdapterHistogramsProps) {
  const measured = adapters.filter(({ latency }) => latency?.histogram.some((count) => count > 0))
  if (measured.length === 0) return null
  return (
    <Card title={live.histograms} aside={live.histogramScope}>
      <div className={classes.histograms}>
        {measured.map(({ id, name, latency }) => (
          <Histogram key={id} name={name} p50={latency?.p50 ?? null} counts={latency?.histogram ?? []} />
        ))}
      </div>
    </Card>
  )
}

interface HistogramProps {
  name: string
  p50: number | null
  counts: readonly number[]
}

function Histogram({ name, p50, counts }: HistogramProps) {
  const most = Math.max(...counts)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <figure className={classes.histogram}>
      <figcaption>
        <b>{name}</b>
        <span>{p50 === null ? '—' : `${p50} ms p50`}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${counts.length * 10} 60`}
        preserveAspectRatio="none"
        role="img"
        aria-label={live.histogram(name, total)}
      >
        <path d={counts.map((count, bin) => barOf(bin, (58 * count) / most)).join('')} />
      </svg>
      <div className={classes.axis} aria-hidden>
        <span>0</span>
        <span>{`${((counts.length - 1) * BIN_MS) / 2}`}</span>
        <span>{`${(counts.length - 1) * BIN_MS} ms`}</span>
      </div>
    </figure>
  )
}

function barOf(bin: number, height: number): string {
  return `M${bin * 10 + 1} 60v${-height}h8v${height}z`
}
