import { ALERT_TEST_DAYS, type AlertTest, type AlertWatch } from '@binnacle/contract'
import { formatDuration } from '#format/duration.ts'
import { Button } from '#ui/control/button.tsx'
import { Segments } from '#ui/control/segments.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { withUnit } from './rule-form.ts'
import classes from './rule-test.module.css'

const { test: words } = copy

export type TestDays = (typeof ALERT_TEST_DAYS)[number]

export interface RuleTestProps {
  days: TestDays
  onDays: (days: TestDays) => void
  busy: boolean
  onRun: () => void
  /** The last test and what it was of; undefined before the first. */
  tested: { test: AlertTest; watch: AlertWatch; threshold: number; clear: number } | undefined
  failure: string | undefined
}

/** ALERT-26: when the rule would have fired, before it is saved. */
export function RuleTest({ days, onDays, busy, onRun, tested, failure }: RuleTestProps) {
  const count = tested?.test.firings.length ?? 0
  return (
    <section className={classes.test} aria-label={words.title}>
      <div className={classes.head}>
        <Segments
          label={words.title}
          value={String(days)}
          options={ALERT_TEST_DAYS.map((each) => ({ value: String(each), label: words.days[each] }))}
          onChange={(value) => onDays(value === '7' ? 7 : 1)}
        />
        {tested && tested.test.note === null && (
          <Badge tone={count === 0 ? 'calm' : 'warn'}>{copy.editor.fireCount(count)}</Badge>
        )}
        <Button busy={busy} onClick={onRun}>
          {tested === undefined ? words.run : words.again}
        </Button>
      </div>
      {failure !== undefined && <Notice tone="bad" title={failure} isAlert />}
      {tested === undefined && <p className={classes.hint}>{words.hint}</p>}
      {tested?.test.note != null && <Notice tone="calm" title={tested.test.note} />}
      {tested?.test.note === null && (
        <>
          <TestChart {...tested} />
          <p className={classes.hint}>{resultText(tested.test)}</p>
        </>
      )}
    </section>
  )
}

function resultText({ firings, seconds_beyond, longest_s }: AlertTest): string {
  if (firings.length === 0) return words.none
  return words.beyond(formatDuration(seconds_beyond * 1000), formatDuration(longest_s * 1000), firings.length)
}

const WIDTH = 400
const HEIGHT = 200
const MARGIN = 14

function TestChart({ test, watch, threshold, clear }: NonNullable<RuleTestProps['tested']>) {
  const from = Date.parse(test.from) / 1000
  const to = Date.parse(test.to) / 1000
  const values = [...test.points.map(([, value]) => value), threshold, clear]
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const x = (at: number) => ((at - from) / (to - from)) * WIDTH
  const y = (value: number) => HEIGHT - MARGIN - ((value - low) / span) * (HEIGHT - 2 * MARGIN)
  const line = test.points
    .map(([at, value], index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
  return (
    <figure className={classes.chart}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart(copy.watches[watch].label)}
      >
        {test.firings.map(({ at, cleared_at }) => {
          const start = x(Date.parse(at) / 1000)
          const end = cleared_at === null ? WIDTH : x(Date.parse(cleared_at) / 1000)
          const width = Math.max(1.5, end - start)
          return <rect key={at} className={classes.band} x={start} y={0} width={width} height={HEIGHT} />
        })}
        <path className={classes.threshold} d={`M0 ${y(threshold)}H${WIDTH}`} />
        {clear !== threshold && <path className={classes.clear} d={`M0 ${y(clear)}H${WIDTH}`} />}
        <path className={classes.line} d={line} />
      </svg>
      <span className={classes.bound} style={{ top: `${(y(threshold) / HEIGHT) * 100}%` }}>
        {withUnit(watch, threshold)}
      </span>
      <figcaption className={classes.axis}>
        <span>{test.from.slice(5, 16).replace('T', ' ')}</span>
        <span>{test.to.slice(5, 16).replace('T', ' ')} UTC</span>
      </figcaption>
    </figure>
  )
}
