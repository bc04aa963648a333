import {
  type MeasuredRate,
  MONITORING_SERIES,
  type Monitoring,
  type RouteLatency,
  type Samples,
  type UptimeDay,
} from '@binnacle/contract'
import type { ReactNode } from 'react'
import { seriesOf } from '#data/samples.ts'
import { formatBytes } from '#format/bytes.ts'
import { formatPercent } from '#format/percent.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { Trend } from '#ui/figure/trend.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import { LatencyScale, SCALE_MARKS } from './latency-scale.tsx'
import { formatMs, formatRate, formatSince, formatSize, peakOf } from './metrics-text.ts'
import classes from './metrics-view.module.css'

export interface MetricsViewProps {
  measured: Monitoring
  /** Undefined until loaded. */
  history: Samples | undefined
}

export function MetricsView({ measured, history }: MetricsViewProps) {
  return (
    <div className={classes.view}>
      <HeadCards measured={measured} history={history} />
      <div className={classes.columns}>
        <Card title={copy.routes.title} aside={copy.routes.scope}>
          <Routes routes={measured.routes} />
        </Card>
        <div className={classes.side}>
          <Card title={copy.rates} aside={copy.now}>
            <Rates rates={measured.rates} history={history} />
          </Card>
          <Card title={copy.loop.title} aside={`p99 ${formatMs(measured.loop_delay.p99_ms)} ms`}>
            <FigureHistory
              series={MONITORING_SERIES.loopDelay}
              name={copy.loop.title}
              history={history}
              base={0}
              height="high"
            >
              {(value) => `${formatMs(value)} ms`}
            </FigureHistory>
          </Card>
          <Card
            title={copy.stores.title}
            aside={measured.disk === null ? undefined : copy.stores.free(formatSize(measured.disk.free))}
          >
            <Stores measured={measured} />
            <p className={classes.endpoint}>
              {copy.prometheus} <code>/metrics</code>
            </p>
          </Card>
        </div>
      </div>
    </div>
  )
}

function HeadCards({ measured, history }: MetricsViewProps) {
  const { cpu, memory, requests, uptime } = measured
  const peak = history && peakOf(seriesOf(history, MONITORING_SERIES.cpu))
  return (
    <div className={classes.heads}>
      <HeadCard
        label={copy.figures.cpuUsage}
        aside={peak === undefined ? '' : copy.peak(formatPercent(peak, 1))}
        value={formatPercent(cpu.process_percent, 1)}
        note={copy.cores(cpu.cores, formatPercent(cpu.machine_percent, 1))}
      >
        <FigureHistory series={MONITORING_SERIES.cpu} name={copy.figures.cpuUsage} history={history} base={0}>
          {(value) => `${Math.round(value * 10) / 10}%`}
        </FigureHistory>
      </HeadCard>
      <HeadCard
        label={copy.figures.memory}
        aside={copy.heap(formatSize(memory.heap_used))}
        value={formatSize(memory.resident)}
        note={copy.of(formatSize(memory.machine_total))}
      >
        <FigureHistory series={MONITORING_SERIES.memory} name={copy.figures.memory} history={history}>
          {formatSize}
        </FigureHistory>
      </HeadCard>
      <HeadCard
        label={copy.figures.requestsPerSecond}
        aside={copy.errors(formatPercent(requests.error_percent, 2))}
        value={formatRate(requests.per_second)}
      >
        <FigureHistory
          series={MONITORING_SERIES.requests}
          name={copy.figures.requestsPerSecond}
          history={history}
          base={0}
        >
          {formatRate}
        </FigureHistory>
      </HeadCard>
      <HeadCard
        label={copy.figures.uptime}
        aside={copy.up(formatSince(measured.started_at, measured.as_of))}
        value={uptime.percent === null ? copy.unknown : formatPercent(uptime.percent, 2)}
        note={copy.days(uptime.days.length)}
      >
        <UptimeBars days={uptime.days} />
      </HeadCard>
    </div>
  )
}

interface HeadCardProps {
  label: string
  aside: string
  value: string
  note?: string
  children: ReactNode
}

function HeadCard({ label, aside, value, note, children }: HeadCardProps) {
  return (
    <section className={classes.head} aria-label={label}>
      <p className={classes.aside}>{aside}</p>
      <dl>
        <Figure label={label} value={value} {...(note !== undefined && { note })} />
      </dl>
      {children}
    </section>
  )
}

interface FigureHistoryProps {
  series: string
  name: string
  history: Samples | undefined
  base?: number
  height?: 'low' | 'high'
  children: (value: number) => string
}

/** The highest value of each interval: a mean would hide the peaks that one looks for. */
function FigureHistory({ series, name, history, children: format, ...rest }: FigureHistoryProps) {
  if (history === undefined) return <div className={classes.loading} data-height={rest.height} />
  const points = (seriesOf(history, series)?.points ?? []).map(([at, , , high]) => ({ at, value: high }))
  const range = { from: Date.parse(history.from) / 1000, to: Date.parse(history.to) / 1000 }
  const last = points.at(-1)
  const label = last === undefined ? copy.history.none(name) : copy.history.some(name, format(last.value))
  return <Trend label={label} points={points} range={range} gapS={history.gap_s} format={format} {...rest} />
}

function UptimeBars({ days }: { days: readonly UptimeDay[] }) {
  const worst = days.filter(({ down_minutes }) => down_minutes > 0)
  return (
    <figure className={classes.uptime} aria-label={copy.uptimeSentence(days.length, worst.length)}>
      <div className={classes.bars} aria-hidden>
        {days.map(({ date, percent, down_minutes }) => (
          <i
            key={date}
            title={copy.day(date, formatPercent(percent, 2), Math.round(down_minutes))}
            data-tone={percent >= 99.9 ? 'good' : percent >= 99 ? 'warn' : 'bad'}
            style={{ height: `${Math.max(8, percent)}%` }}
          />
        ))}
      </div>
      <p aria-hidden>
        <span>{days[0]?.date.slice(5)}</span>
        <span>{days.at(-1)?.date.slice(5)}</span>
      </p>
    </figure>
  )
}

const ROUTE_COLUMNS = [
  { title: copy.routes.method },
  { title: copy.routes.route },
  { title: copy.routes.perSecond, align: 'end' },
  { title: 'p50', align: 'end' },
  { title: 'p95', align: 'end' },
  { title: 'p99', align: 'end' },
  { title: copy.routes.scale(SCALE_MARKS) },
  { title: copy.routes.errors, align: 'end' },
] as const

function Routes({ routes }: { routes: readonly RouteLatency[] }) {
  return (
    <Table label={copy.routes.title} columns={ROUTE_COLUMNS}>
      {routes.map((route) => (
        <tr key={`${route.method} ${route.path}`} data-tone={route.errors > 0 ? 'bad' : undefined}>
          <Cell mono>{route.method}</Cell>
          <Cell mono>{route.path}</Cell>
          <Cell align="end">{formatRate(route.per_second)}</Cell>
          <Cell align="end">{formatMs(route.p50_ms)}</Cell>
          <Cell align="end">{formatMs(route.p95_ms)}</Cell>
          <Cell align="end">{formatMs(route.p99_ms)}</Cell>
          <Cell>
            <LatencyScale p50={route.p50_ms} p95={route.p95_ms} p99={route.p99_ms} isBad={route.errors > 0} />
          </Cell>
          <Cell align="end">{route.errors}</Cell>
        </tr>
      ))}
    </Table>
  )
}

function Rates({ rates, history }: { rates: readonly MeasuredRate[]; history: Samples | undefined }) {
  return (
    <Figures columns={3}>
      {rates.map(({ name, unit, per_second, series }) => (
        <Figure key={series} label={name} value={formatRate(per_second)} note={unit}>
          <SparkLine values={valuesOf(history, series)} />
        </Figure>
      ))}
    </Figures>
  )
}

/** One value per interval; null where nothing was recorded. */
function valuesOf(history: Samples | undefined, series: string): (number | null)[] {
  const points = seriesOf(history, series)?.points ?? []
  const [first, last] = [points[0], points.at(-1)]
  if (history === undefined || first === undefined || last === undefined) return []
  const byTime = new Map(points.map(([at, , , high]) => [at, high]))
  const count = Math.round((last[0] - first[0]) / history.step_s) + 1
  return Array.from({ length: count }, (_, index) => byTime.get(first[0] + index * history.step_s) ?? null)
}

const STORE_COLUMNS = [
  { title: copy.stores.store },
  { title: copy.stores.files },
  { title: copy.stores.share },
  { title: copy.stores.size, align: 'end' },
] as const

function Stores({ measured: { stores } }: { measured: Monitoring }) {
  const largest = Math.max(1, ...stores.map(({ bytes }) => bytes))
  return (
    <Table label={copy.stores.title} columns={STORE_COLUMNS}>
      {stores.map(({ name, detail, bytes }) => (
        <tr key={name}>
          <Cell>{name}</Cell>
          <Cell>{detail}</Cell>
          <Cell>
            <div className={classes.share}>
              <Meter label={copy.stores.shareOf(name)} percent={(bytes / largest) * 100} tone="info" />
            </div>
          </Cell>
          <Cell align="end">{formatBytes(bytes)}</Cell>
        </tr>
      ))}
    </Table>
  )
}
