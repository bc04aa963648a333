import { csvRow } from '#services/csv.ts'
import type { Samples } from '#storage/samples/samples.ts'
import type { SampleMark, SamplePoint } from '#storage/samples/samples-store.ts'

/** What was traded on a day. */
export interface TradingDay {
  ordersByStatus: Readonly<Record<string, number>>
  fills: number
  volume: number
  fees: number
  realised: number
}

export interface DailyReport {
  date: string
  systemName: string
  environment: string
  figures: readonly ReportFigure[]
  trading: TradingDay
  hours: readonly { hour: string; values: readonly (number | null)[] }[]
  events: readonly SampleMark[]
}

/** A recorded figure over the day; null where nothing was recorded. */
export interface ReportFigure {
  name: string
  first: number | null
  last: number | null
  low: number | null
  high: number | null
}

export interface DailyReportSources {
  samples: Samples
  tradingDay: (fromMs: number, toMs: number) => Promise<TradingDay>
  describe: () => { systemName: string; environment: string }
}

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const MAX_EVENTS = 500

const MIB = 1024 * 1024
const FIGURES: readonly { series: string; name: string; scale?: number }[] = [
  { series: 'equity', name: 'Equity' },
  { series: 'pnl.today', name: 'P&L today' },
  { series: 'exposure', name: 'Exposure' },
  { series: 'margin.used', name: 'Margin used' },
  { series: 'drawdown.max', name: 'Max drawdown %' },
  { series: 'cpu.process', name: 'CPU %' },
  { series: 'memory.resident', name: 'Memory MB', scale: MIB },
  { series: 'requests', name: 'Requests/sec' },
  { series: 'loop.delay', name: 'Event-loop delay ms' },
]
const HOURLY = ['equity', 'pnl.today', 'exposure', 'cpu.process', 'requests']
const HOURLY_NAMES = FIGURES.filter(({ series }) => HOURLY.includes(series)).map(({ name }) => name)

export async function readDailyReport(
  { samples, tradingDay, describe }: DailyReportSources,
  date: string,
): Promise<DailyReport> {
  const from = Date.parse(`${date}T00:00:00Z`) / 1000
  const to = from + DAY_S
  const { points, marks } = await samples.query({
    series: FIGURES.map(({ series }) => series),
    range: { from, to, resolutionS: 60, stepS: HOUR_S },
    maxMarks: MAX_EVENTS,
  })
  const ofSeries = ({ series, scale = 1 }: (typeof FIGURES)[number]) =>
    (points.get(series) ?? []).map((point) => scalePoint(point, scale))
  return {
    date,
    ...describe(),
    figures: FIGURES.map((figure) => figureOf(figure.name, ofSeries(figure))),
    trading: await tradingDay(from * 1000, to * 1000),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      hour: `${String(hour).padStart(2, '0')}:00`,
      values: FIGURES.filter(({ series }) => HOURLY.includes(series)).map(
        (figure) => ofSeries(figure).find(({ at }) => at === from + hour * HOUR_S)?.last ?? null,
      ),
    })),
    events: marks,
  }
}

function scalePoint({ at, last, low, high }: SamplePoint, scale: number): SamplePoint {
  return { at, last: last / scale, low: low / scale, high: high / scale }
}

function figureOf(name: string, points: readonly SamplePoint[]): ReportFigure {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined)
    return { name, first: null, last: null, low: null, high: null }
  return {
    name,
    first: first.last,
    last: last.last,
    low: Math.min(...points.map(({ low }) => low)),
    high: Math.max(...points.map(({ high }) => high)),
  }
}

type Cell = string | number | null

interface ReportTable {
  title: string
  head: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** The tables of a report, the same for both formats. */
function tablesOf({ figures, trading, hours, events }: DailyReport): ReportTable[] {
  const orders = Object.entries(trading.ordersByStatus).map(([status, count]) => [`Orders ${status}`, count])
  return [
    {
      title: 'Figures',
      head: ['Figure', 'First hour', 'Last', 'Lowest', 'Highest'],
      rows: figures.map(({ name, first, last, low, high }) => [name, first, last, low, high]),
    },
    {
      title: 'Trading',
      head: ['Figure', 'Value'],
      rows: [
        ...orders,
        ['Fills', trading.fills],
        ['Volume', trading.volume],
        ['Fees', trading.fees],
        ['Realized P&L', trading.realised],
      ],
    },
    {
      title: 'Hours',
      head: ['Hour UTC', ...HOURLY_NAMES],
      rows: hours.map(({ hour, values }) => [hour, ...values]),
    },
    {
      title: 'Events',
      head: ['Time', 'Kind', 'Event'],
      rows: events.map(({ atMs, kind, text }) => [new Date(atMs).toISOString(), kind, text]),
    },
  ]
}

const NOTICE = 'Simulated venues: no order of this report reached a real exchange.'

export function reportToCsv(report: DailyReport): string {
  const head = [
    csvRow([report.systemName, `Daily report ${report.date}`, report.environment]),
    csvRow([NOTICE]),
  ]
  const tables = tablesOf(report).flatMap(({ title, head: columns, rows }) => [
    csvRow([]),
    csvRow([title]),
    csvRow(columns),
    ...rows.map((row) => csvRow(row.map(roundCell))),
  ])
  return [...head, ...tables].join('')
}

/** One page without scripts and outside references, so that it can be sent and archived. */
export function reportToHtml(report: DailyReport): string {
  const title = `${report.systemName}: daily report ${report.date}`
  const cell = (tag: string, value: Cell) =>
    `<${tag}${typeof value === 'string' ? '' : ' class="n"'}>${escapeHtml(formatCell(value))}</${tag}>`
  const row = (tag: string, cells: readonly Cell[]) =>
    `<tr>${cells.map((each) => cell(tag, each)).join('')}</tr>`
  const tables = tablesOf(report).map(({ title: name, head, rows }) => {
    const body = rows.length === 0 ? `<tr><td>None</td></tr>` : rows.map((each) => row('td', each)).join('\n')
    return `<h2>${name}</h2>\n<table>\n<thead>${row('th', head)}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(report.environment)} · ${NOTICE}</p>
${tables.join('\n')}
</body>
</html>
`
}

const STYLE =
  'body{font:14px/1.4 system-ui,sans-serif;margin:24px;color:#0e1c28}table{border-collapse:collapse}th,td{padding:4px 12px;border-bottom:1px solid #dfe6eb;text-align:left}.n{text-align:right;font-variant-numeric:tabular-nums}'

function roundCell(value: Cell): Cell {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value
}

function formatCell(value: Cell): string {
  if (value === null) return '—'
  return typeof value === 'number' ? (roundCell(value)?.toLocaleString('en-US') ?? '') : value
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character)
}
