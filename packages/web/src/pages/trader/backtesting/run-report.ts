import type { Backtest, BacktestResult, EquityPoint } from '@binnacle/contract'
import { formatGain, formatMoney } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { formatInstant } from '#format/time.ts'
import { copy } from './copy.ts'
import { SIMULATED_VENUES } from './run-export.ts'
import { costsOf, monthlyReturns } from './run-figures.ts'
import { describeRun } from './run-format.ts'

/** BT-35: one HTML page with its styles and pictures in it; nothing is loaded from elsewhere. */
export function reportOf(run: Backtest, result: BacktestResult): string {
  const title = `${copy.name(run.id)} ${describeRun(run)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeHtml(title)}</h1><p><b>${SIMULATED_VENUES}</b>, ${period(run)}</p>
${table(copy.report.record, recordRows(run, result))}
${table(copy.statistics.title, figureRows(run, result))}
<h2>${copy.curves.title}</h2>${curve(result.equity_curve, 'equity', run.request.initial_cash)}
${curve(result.equity_curve, 'drawdown', 0)}
<h2>${copy.months.title}</h2>${monthTable(run, result)}
<h2>${copy.trades.title}</h2>${tradeTable(result)}
</main></body></html>
`
}

const STYLE = `body{margin:0;background:#fff;color:#0e1c28;font:13px/18px Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:960px;margin:0 auto;padding:16px}h1{font-size:18px}h2{font-size:14px;margin:20px 0 6px}
table{border-collapse:collapse;width:100%}th,td{padding:3px 6px;border-bottom:1px solid #dfe6eb;text-align:right;font-weight:400}
th:first-child,td:first-child{text-align:left}thead th{color:#526474;border-color:#c3ced7}
svg{display:block;width:100%;height:180px;margin:4px 0}code{overflow-wrap:anywhere;font-size:11.5px}`

type Row = readonly [name: string, value: string]

function recordRows(run: Backtest, result: BacktestResult): Row[] {
  const { recordFields: names } = copy.result
  return [
    [names.data, run.data_fingerprint ?? copy.none],
    [names.hash, result.hash],
    [names.engine, run.engine_version ?? copy.none],
    [names.created, formatInstant(run.created_at)],
    [copy.report.request, JSON.stringify(run.request)],
    ...(run.note ? [[copy.labels.note, run.note] as const] : []),
    ...(run.tags?.length ? [[copy.labels.tags, run.tags.join(', ')] as const] : []),
  ]
}

function figureRows(run: Backtest, result: BacktestResult): Row[] {
  const { statistics: of } = result
  const { figures } = copy.result
  const labels = copy.statistics
  const costs = costsOf(result, run.request.initial_cash)
  return [
    [figures.return, formatReturn(of.total_return)],
    [figures.net, formatGain(costs.net)],
    [labels.gross, formatGain(costs.gross)],
    [labels.fees, formatMoney(costs.fees)],
    [labels.funding, formatGain(costs.funding)],
    [figures.sharpe, formatRatio(of.sharpe)],
    [figures.sortino, formatRatio(of.sortino)],
    [labels.calmar, formatRatio(of.calmar)],
    [figures.drawdown, formatShare(of.max_drawdown)],
    [figures.winRate, of.win_rate === null ? copy.none : formatWinRate(of.win_rate)],
    [figures.profitFactor, formatRatio(of.profit_factor)],
    [labels.exposure, formatShare(of.exposure_time)],
    [figures.trades, String(result.trades_total)],
  ]
}

function table(title: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ([name, value]) => `<tr><td>${escapeHtml(name)}</td><td><code>${escapeHtml(value)}</code></td></tr>`,
  )
  return `<h2>${escapeHtml(title)}</h2><table><tbody>${lines.join('')}</tbody></table>`
}

const WIDTH = 960
const HEIGHT = 180

/** A line over time, with its extremes in words. */
function curve(points: readonly EquityPoint[], field: 'equity' | 'drawdown', base: number): string {
  const values = points.map((point) => (field === 'drawdown' ? -point.drawdown : point.equity))
  const low = values.reduce((least, value) => Math.min(least, value), base)
  const high = values.reduce((most, value) => Math.max(most, value), base)
  const y = (value: number) => (HEIGHT - ((value - low) / (high - low || 1)) * HEIGHT).toFixed(1)
  const x = (nth: number) => ((nth / Math.max(1, values.length - 1)) * WIDTH).toFixed(1)
  const format = field === 'drawdown' ? formatReturn : formatMoney
  const name = copy.curves[field]
  const line = values.map((value, nth) => `${x(nth)},${y(value)}`).join(' ')
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${name}"><line x1="0" x2="${WIDTH}" y1="${y(base)}" y2="${y(base)}" stroke="#c3ced7"/><polyline points="${line}" fill="none" stroke="${field === 'drawdown' ? '#d4482f' : '#0f5e7a'}" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg><p>${name}: ${format(low)} – ${format(high)}</p>`
}

function monthTable(run: Backtest, result: BacktestResult): string {
  const years = monthlyReturns(run.request.initial_cash, result.equity_curve)
  const head = ['', ...copy.months.names, copy.months.year].map((name) => `<th>${name}</th>`).join('')
  const rows = years.map(({ year, months, total }) => {
    const cells = [...months, total].map((value) => (value === undefined ? '' : formatReturn(value)))
    return `<tr><td>${year}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function tradeTable({ trades, trades_total: total }: BacktestResult): string {
  const { columns } = copy.trades
  const head = Object.values(columns).map((name) => `<th>${escapeHtml(name)}</th>`)
  const rows = trades.map((trade) =>
    [
      trade.instrument,
      trade.side,
      formatInstant(trade.opened_at),
      formatInstant(trade.closed_at),
      trade.quantity,
      trade.entry_price,
      trade.exit_price,
      trade.fees,
      trade.funding,
      formatGain(trade.pnl),
    ]
      .map((cell) => `<td>${escapeHtml(String(cell))}</td>`)
      .join(''),
  )
  const cut = trades.length < total ? `<p>${copy.trades.latest(trades.length, total)}</p>` : ''
  return `${cut}<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table>`
}

function period({ request }: Backtest): string {
  return `${formatInstant(request.from)} – ${formatInstant(request.to)}`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
