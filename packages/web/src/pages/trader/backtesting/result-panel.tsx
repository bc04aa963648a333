import type { Backtest, BacktestResult, BacktestSummary } from '@binnacle/contract'
import { type ReactNode, useMemo } from 'react'
import { isActive } from '#data/backtests.ts'
import { useCommand } from '#data/command.ts'
import { formatDuration } from '#format/duration.ts'
import { formatGain, formatMoney, formatQuantity } from '#format/money.ts'
import { formatWinRate } from '#format/percent.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { formatInstant } from '#format/time.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { MonthTable } from './month-table.tsx'
import { ResultBars } from './result-bars.tsx'
import classes from './result-panel.module.css'
import { Robustness } from './robustness.tsx'
import { equityCsv, runJson, tradesCsv } from './run-export.ts'
import { costsOf, countResults, missingBars, monthlyReturns, resultBins } from './run-figures.ts'
import { describeRun, shortHash, statusText, toneOfRun } from './run-format.ts'

/** Parts of their own, loaded after the screen. */
const TradesTable = lazyPart(async () => (await import('./trades-table.tsx')).TradesTable)
const TradeChart = lazyPart(async () => (await import('./trade-chart.tsx')).TradeChart)
const CurveChart = lazyPart(async () => (await import('#ui/chart/curve-chart.tsx')).CurveChart)

export interface ResultPanelProps {
  run: Backtest
  /** The run that this one repeats. */
  original: Pick<BacktestSummary, 'result'> | undefined
  isRerunning: boolean
  on: Readonly<Record<'rerun' | 'clone' | 'promote' | 'label' | 'archive', () => void>>
}

/** BT-19 */
export function ResultPanel({ run, original, isRerunning, on }: ResultPanelProps) {
  const { result } = run
  return (
    <>
      <Card
        title={
          <>
            {copy.name(run.id)} {describeRun(run)}
            <Badge tone={toneOfRun(run.status)}>{stateText(run)}</Badge>
          </>
        }
        actions={
          <>
            <Button busy={isRerunning} onClick={on.rerun}>
              {copy.result.rerun}
            </Button>
            <Button onClick={on.clone}>{copy.result.clone}</Button>
            <Button onClick={on.label}>{copy.result.label}</Button>
            {(run.archived === true || !isActive(run)) && (
              <Button onClick={on.archive}>{run.archived ? copy.result.restore : copy.result.archive}</Button>
            )}
            {result && <Button onClick={on.promote}>{copy.result.promote}</Button>}
          </>
        }
      >
        <Hashes run={run} original={original} />
        <Labels run={run} />
        {result ? <MainFigures result={result} capital={run.request.initial_cash} /> : <Outcome run={run} />}
        <RunRecord run={run} />
      </Card>
      {result && <Result run={run} result={result} />}
    </>
  )
}

function stateText({ status, progress, started_at: start, finished_at: end }: Backtest): string {
  if (status === 'running') return copy.result.progress(`${Math.floor(progress * 100)}%`)
  if (status !== 'completed' || !start || !end) return statusText(status)
  const ms = Date.parse(end) - Date.parse(start)
  return copy.result.doneIn(ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : formatDuration(ms))
}

/** BT-26: the hash of a re-run beside the one it repeats. */
function Hashes({ run, original }: Pick<ResultPanelProps, 'run' | 'original'>) {
  const { data_fingerprint: data, rerun_of: repeated, result } = run
  const other = original?.result?.hash
  return (
    <p className={classes.hashes}>
      {data && <span title={data}>{copy.result.data(shortHash(data))}</span>}
      {result && <span title={result.hash}>{copy.result.hash(shortHash(result.hash))}</span>}
      {result && repeated != null && other !== undefined && (
        <>
          <span title={other}>{copy.result.rerunOf(copy.name(repeated), shortHash(other))}</span>
          <Badge tone={other === result.hash ? 'good' : 'warn'}>
            {other === result.hash ? copy.result.sameHash : copy.result.otherHash}
          </Badge>
          {other !== result.hash && <span>{copy.result.otherHashWhy}</span>}
        </>
      )}
    </p>
  )
}

/** BT-32 */
function Labels({ run: { tags = [], note = '' } }: { run: Backtest }) {
  return (
    <>
      {tags.length > 0 && (
        <p className={classes.tags}>
          {tags.map((tag) => (
            <Badge key={tag} tone="calm">
              {tag}
            </Badge>
          ))}
        </p>
      )}
      {note !== '' && <p className={classes.remark}>{note}</p>}
    </>
  )
}

function Outcome({ run }: { run: Backtest }) {
  const { ended } = copy.result
  if (run.status === 'failed')
    return (
      <Notice tone="bad" title={ended.failed}>
        {run.error}
      </Notice>
    )
  if (run.status === 'cancelled') return <Notice tone="calm" title={ended.cancelled} />
  if (run.status === 'interrupted')
    return (
      <Notice tone="warn" title={ended.interrupted}>
        {copy.result.interruptedHint}
      </Notice>
    )
  return (
    <progress
      className={classes.bar}
      aria-label={copy.queue.progress(copy.name(run.id))}
      max={100}
      value={Math.floor(run.progress * 100)}
    />
  )
}

interface FiguresProps {
  result: BacktestResult
  capital: number
}

function MainFigures({ result, capital }: FiguresProps) {
  const { statistics, final_equity: equity, trades_total: trades } = result
  const { figures } = copy.result
  const net = equity - capital
  const tone = toneOfGain(net, true)
  return (
    <Figures columns={4}>
      <Figure label={figures.return} value={formatReturn(statistics.total_return)} tone={tone} />
      <Figure label={figures.net} value={formatGain(net)} tone={tone} />
      <Figure label={figures.sharpe} value={formatRatio(statistics.sharpe)} />
      <Figure label={figures.sortino} value={formatRatio(statistics.sortino)} />
      <Figure label={figures.drawdown} value={formatShare(statistics.max_drawdown)} />
      <Figure
        label={figures.winRate}
        value={statistics.win_rate === null ? copy.none : formatWinRate(statistics.win_rate)}
      />
      <Figure label={figures.profitFactor} value={formatRatio(statistics.profit_factor)} />
      <Figure label={figures.trades} value={formatQuantity(trades)} />
    </Figures>
  )
}

function Result({ run, result }: { run: Backtest; result: BacktestResult }) {
  const capital = run.request.initial_cash
  const years = useMemo(() => monthlyReturns(capital, result.equity_curve), [capital, result])
  const bins = useMemo(() => resultBins(result.trades.map(({ pnl }) => pnl)), [result])
  const isCut = result.trades.length < result.trades_total
  return (
    <>
      <Remarks run={run} result={result} />
      <Card title={copy.curves.title}>
        <Curves run={run} result={result} />
      </Card>
      {result.trades.length > 0 && (
        <LazyBoundary>
          <TradeChart
            trades={result.trades}
            interval={run.request.interval ?? '1m'}
            dataSet={run.request.data_set}
          />
        </LazyBoundary>
      )}
      <Card title={copy.months.title}>
        <MonthTable years={years} />
      </Card>
      <div className={classes.pair}>
        <Card title={copy.statistics.title}>
          <div className={classes.statistics}>
            <Statistics result={result} capital={capital} />
          </div>
        </Card>
        <Card title={copy.results.title}>
          <ResultBars bins={bins} {...countResults(result.trades)} total={result.trades.length} />
        </Card>
      </div>
      <Robustness id={run.id} result={result} capital={capital} />
      <Card title={copy.trades.title} actions={<Exports run={run} result={result} />}>
        {isCut && (
          <p className={classes.note}>{copy.trades.latest(result.trades.length, result.trades_total)}</p>
        )}
        {result.trades.length === 0 ? (
          <p className={classes.note}>{copy.results.none}</p>
        ) : (
          <div className={classes.trades}>
            <LazyBoundary fallback={<Loading text={copy.trades.loading} bare />}>
              <TradesTable trades={result.trades} interval={run.request.interval ?? '1m'} />
            </LazyBoundary>
          </div>
        )}
      </Card>
    </>
  )
}

function Remarks({ run, result }: { run: Backtest; result: BacktestResult }): ReactNode {
  const { trading_state: state, open_positions: open, denied_orders: denied, orders, bars } = result
  const { approximations = [] } = result
  const missing = missingBars(run.request, bars)
  return (
    <>
      {missing && (
        <Notice
          tone="warn"
          title={copy.result.missing(
            formatQuantity(bars),
            formatQuantity(missing.expected),
            formatDuration(missing.missingMs),
          )}
        />
      )}
      {approximations.length > 0 && (
        <Notice tone="calm" title={copy.result.approximations}>
          {approximations.join(' ')}
        </Notice>
      )}
      {state === 'REDUCING' && <Notice tone="warn" title={copy.result.reducing} />}
      {open > 0 && <Notice tone="calm" title={copy.result.openAtEnd(open)} />}
      {denied > 0 && <Notice tone="calm" title={copy.result.denied(denied, orders)} />}
    </>
  )
}

function Curves({ run, result }: { run: Backtest; result: BacktestResult }) {
  const { curves, lower } = useMemo(() => {
    const points = result.equity_curve.map(({ at, equity, drawdown }) => ({
      at: Date.parse(at) / 1000,
      equity,
      drawdown,
    }))
    return {
      curves: [{ name: copy.curves.equity, points: points.map(({ at, equity }) => ({ at, value: equity })) }],
      lower: {
        name: copy.curves.drawdown,
        points: points.map(({ at, drawdown }) => ({ at, value: -drawdown })),
        format: formatReturn,
      },
    }
  }, [result])
  const { from, to, initial_cash: capital } = run.request
  return (
    <LazyBoundary fallback={<Loading text={copy.result.loading} bare />}>
      <CurveChart
        label={copy.curves.sentence(copy.name(run.id), formatInstant(from), formatInstant(to))}
        curves={curves}
        base={capital}
        format={formatMoney}
        lower={lower}
      />
    </LazyBoundary>
  )
}

function Statistics({ result, capital }: FiguresProps) {
  const { statistics: figures, bars, orders } = result
  const labels = copy.statistics
  const costs = costsOf(result, capital)
  const share = (value: number | null) => (value === null ? copy.none : formatReturn(value))
  return (
    <Figures columns={3}>
      <Figure label={labels.gross} value={formatGain(costs.gross)} />
      <Figure label={labels.fees} value={formatMoney(costs.fees)} />
      <Figure label={labels.funding} value={formatGain(costs.funding)} />
      <Figure label={labels.turnover} value={labels.times(formatRatio(figures.turnover))} />
      <Figure label={labels.cagr} value={share(figures.cagr)} />
      <Figure
        label={labels.volatility}
        value={figures.volatility === null ? copy.none : formatShare(figures.volatility)}
      />
      <Figure label={labels.calmar} value={formatRatio(figures.calmar)} />
      <Figure
        label={labels.expectancy}
        value={figures.expectancy === null ? copy.none : formatGain(figures.expectancy)}
      />
      <Figure label={labels.exposure} value={formatShare(figures.exposure_time)} note={labels.ofTime} />
      <Figure label={labels.longestDrawdown} value={formatDuration(figures.max_drawdown_seconds * 1000)} />
      <Figure label={labels.orders} value={formatQuantity(orders)} />
      <Figure label={labels.bars} value={formatQuantity(bars)} />
    </Figures>
  )
}

const REPORT = ['backtests', 'report']

/** BT-27 */
function Exports({ run, result }: { run: Backtest; result: BacktestResult }) {
  const save = (suffix: string, type: string, text: string) =>
    saveFile(`${copy.name(run.id)}${suffix}`, new Blob([text], { type }))
  const report = useCommand(
    { key: REPORT, send: async (_: undefined) => (await import('./run-report.ts')).reportOf(run, result) },
    {
      onFailure: toastFailure(copy.result.reportFailed),
      onDone: (text) => save('.html', 'text/html', text),
    },
  )
  return (
    <>
      <Button onClick={() => save('-trades.csv', 'text/csv', tradesCsv(result.trades))}>
        {copy.result.exportTrades}
      </Button>
      <Button onClick={() => save('-equity.csv', 'text/csv', equityCsv(result.equity_curve))}>
        {copy.result.exportEquity}
      </Button>
      <Button onClick={() => save('.json', 'application/json', runJson(run))}>
        {copy.result.exportJson}
      </Button>
      <Button busy={report.isPending} onClick={() => report.run(undefined)}>
        {copy.result.exportReport}
      </Button>
    </>
  )
}

/** What never changes: all that is needed to repeat the run. */
function RunRecord({ run }: { run: Backtest }) {
  const { request, result, data_fingerprint: data, engine_version: engine } = run
  const { recordFields: names } = copy.result
  const rows: [name: string, value: string][] = [
    [names.data, data ?? copy.none],
    [names.hash, result?.hash ?? copy.none],
    [names.engine, engine ?? copy.none],
    [names.created, formatInstant(run.created_at)],
    [names.period, `${formatInstant(request.from)} – ${formatInstant(request.to)}`],
    [names.settings, JSON.stringify(request.strategy.config)],
    [
      names.costs,
      JSON.stringify({
        fees: request.fees,
        slippage_bps: request.slippage_bps,
        latency_ms: request.latency_ms,
      }),
    ],
    [names.limits, JSON.stringify(request.limits)],
    [names.seed, String(request.seed)],
  ]
  return (
    <details className={classes.record}>
      <summary>{copy.result.record}</summary>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
