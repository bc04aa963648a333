import {
  MANUAL_STRATEGY,
  PERFORMANCE_PERIODS,
  type PerformancePeriod,
  type PerformanceReport,
} from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { backtestQueries } from '#data/backtests.ts'
import { useEngineSummary } from '#data/engine.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { useInstruments } from '#data/instruments.ts'
import {
  performanceQueries,
  type ReportRequest,
  type TradesRequest,
  useLoadTrades,
  useTrades,
} from '#data/performance.ts'
import { strategyQueries, useDeletedStrategies } from '#data/strategies.ts'
import { formatDuration } from '#format/duration.ts'
import { formatQuantity } from '#format/money.ts'
import { formatRatio, formatReturn, formatShare } from '#format/statistic.ts'
import { paths } from '#paths.ts'
import { toastFailure } from '#state/toasts.ts'
import { usePolledFreshness } from '#state/topic-freshness.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { Segments } from '#ui/control/segments.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { BarRows } from './bar-rows.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { copy } from './copy.ts'
import { CostPanel } from './cost-panel.tsx'
import { EquityPanel } from './equity-panel.tsx'
import { reasonFor } from './figure-reasons.ts'
import { KeyFigures } from './key-figures.tsx'
import { type PerformanceAddress, readAddress, writeAddress } from './performance-address.ts'
import { daysCsv, reportJson, tradesCsv } from './performance-export.ts'
import classes from './performance-page.module.css'
import { CorrelationPanel, LossPanel, StressPanel } from './risk-panels.tsx'
import { RollingPanel } from './rolling-panel.tsx'
import { RunPanel } from './run-panel.tsx'
import { StrategiesPanel } from './strategies-panel.tsx'
import { TradesPanel } from './trades-panel.tsx'

type Change = (change: Partial<PerformanceAddress>) => void

/** The screen of the capability `performance`. */
export function PerformancePage() {
  const { address, setAddress } = useAddress()
  const options = performanceQueries.report(requestOf(address))
  const report = useQuery(options)
  const freshness = usePolledFreshness(options.queryKey)
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.trader, label: copy.back }}
      actions={<Tools address={address} onAddress={setAddress} report={report.data} />}
    >
      <Loaded load={report} loading={copy.loading} failed={copy.failed} reason={problemText(report.error)}>
        {(loaded) => (
          <div className={classes.content} aria-busy={report.isPlaceholderData}>
            {loaded.curve.length === 0 ? (
              <EmptyState title={copy.empty}>
                <p>{copy.emptyHint}</p>
              </EmptyState>
            ) : (
              <Report report={loaded} address={address} onAddress={setAddress} />
            )}
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

/** PERF-20: a link shows the same period, strategy and comparisons. */
function useAddress(): { address: PerformanceAddress; setAddress: Change } {
  const [params, setParams] = useSearchParams()
  const address = readAddress(params)
  return {
    address,
    setAddress: (change) => setParams(writeAddress({ ...address, ...change }), { replace: true }),
  }
}

function requestOf({ period, strategy, hold, run }: PerformanceAddress): ReportRequest {
  return {
    period,
    ...(strategy !== undefined && { strategy }),
    ...(hold !== undefined && { hold }),
    ...(run !== undefined && { backtest: Number(run) }),
  }
}

function tradesOf({ period, strategy }: PerformanceAddress): TradesRequest {
  return { period, ...(strategy !== undefined && { strategy }) }
}

interface ToolsProps {
  address: PerformanceAddress
  onAddress: Change
  report: PerformanceReport | undefined
}

function Tools({ address, onAddress, report }: ToolsProps) {
  const names = useStrategyNames()
  const instruments = useInstruments()
  const { data: runs } = useQuery(backtestQueries.list())
  const completed = runs?.filter(({ status }) => status === 'completed') ?? []
  return (
    <div className={classes.tools}>
      <Segments
        label={copy.period}
        labelHidden
        value={address.period}
        options={PERFORMANCE_PERIODS.map((value) => ({ value, label: value }))}
        onChange={(period: PerformancePeriod) => onAddress({ period })}
      />
      <SelectField
        label={copy.strategy}
        labelHidden
        value={address.strategy ?? ''}
        options={withChosen(
          [{ value: '', label: copy.allStrategies }, ...names.map(([value, label]) => ({ value, label }))],
          address.strategy,
        )}
        onChange={(strategy) => onAddress({ strategy: strategy || undefined })}
      />
      <SelectField
        label={copy.compare}
        labelHidden
        value={address.hold ?? ''}
        options={withChosen(
          [
            { value: '', label: copy.noHold },
            ...instruments.map(({ id }) => ({ value: id, label: copy.hold(id) })),
          ],
          address.hold,
        )}
        onChange={(hold) => onAddress({ hold: hold || undefined })}
      />
      {(completed.length > 0 || address.run !== undefined) && (
        <SelectField
          label={copy.run}
          labelHidden
          value={address.run ?? ''}
          options={withChosen(
            [
              { value: '', label: copy.noRun },
              ...completed.map(({ id }) => ({ value: String(id), label: copy.runName(id) })),
            ],
            address.run,
          )}
          onChange={(run) => onAddress({ run: run || undefined })}
        />
      )}
      <Exports report={report} address={address} />
    </div>
  )
}

interface Option {
  value: string
  label: string
}

/** What the address names is offered, even if the list is not loaded or does not have it. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: chosen }]
}

/** Running, stopped and deleted strategies, and manual orders. */
function useStrategyNames(): readonly [id: string, name: string][] {
  const { data = [] } = useQuery(strategyQueries.list({ onFailure: logOnly }))
  const deleted = useDeletedStrategies()
  return [
    [MANUAL_STRATEGY, copy.manual],
    ...[...data, ...deleted].map(({ id, name }): [string, string] => [String(id), name]),
  ]
}

/** PERF-26 */
function Exports({ report, address }: Pick<ToolsProps, 'report' | 'address'>) {
  const isSimulated = useEngineSummary()?.hasSimulatedVenues ?? false
  const save = (suffix: string, type: string, text: string) =>
    report && saveFile(`${copy.exports.name(report.period)}${suffix}`, new Blob([text], { type }))
  const trades = useLoadTrades({
    onFailure: toastFailure(copy.exports.failed),
    onDone: (loaded, { format }) => {
      if (format === 'csv') save('-trades.csv', 'text/csv', tradesCsv(loaded, isSimulated))
      else if (report) save('.json', 'application/json', reportJson(report, loaded, isSimulated))
    },
  })
  const load = (format: 'csv' | 'json') => ({
    disabled: report === undefined,
    busy: trades.pendingSubjects.has(format),
    onClick: () => trades.run({ query: tradesOf(address), format }),
  })
  return (
    <fieldset className={classes.exports}>
      <legend>{copy.exports.label}</legend>
      <Button
        disabled={report === undefined}
        onClick={() => report && save('-days.csv', 'text/csv', daysCsv(report, isSimulated))}
      >
        {copy.exports.days}
      </Button>
      <Button {...load('csv')}>{copy.exports.trades}</Button>
      <Button {...load('json')}>{copy.exports.json}</Button>
    </fieldset>
  )
}

interface ReportProps {
  report: PerformanceReport
  address: PerformanceAddress
  onAddress: Change
}

function Report({ report, address, onAddress }: ReportProps) {
  const features = useEngineSummary()?.features
  const names = new Map(useStrategyNames())
  const { instruments: words } = copy
  return (
    <>
      <KeyFigures report={report} />
      <div className={classes.view}>
        <div className={classes.column}>
          <EquityPanel
            report={report}
            name={
              address.strategy === undefined ? undefined : (names.get(address.strategy) ?? address.strategy)
            }
            hold={address.hold}
          />
          <div className={classes.pair}>
            <CalendarPanel returns={report.returns} />
            <StrategiesPanel
              strategies={report.strategies}
              onChoose={(strategy) => onAddress({ strategy })}
            />
          </div>
        </div>
        <div className={classes.column}>
          {address.run !== undefined && <RunPanel id={address.run} comparison={report.run} />}
          <CostPanel costs={report.costs} />
          <Card title={words.title} aside={words.scope}>
            {report.instruments.length === 0 ? (
              <p>{words.none}</p>
            ) : (
              <BarRows
                label={words.title}
                rows={report.instruments.map(({ instrument, pnl }) => ({ name: instrument, amount: pnl }))}
              />
            )}
          </Card>
          <Statistics figures={report.figures} />
        </div>
      </div>
      <div className={classes.bottom}>
        <Trades address={address} total={report.figures.trades} />
        <div className={classes.column}>
          <RollingPanel rolling={report.rolling} />
          {features !== undefined &&
            (features['advanced-analytics'] === false ? <AdvancedOff /> : <Risk period={address.period} />)}
        </div>
      </div>
    </>
  )
}

function Statistics({ figures }: Pick<PerformanceReport, 'figures'>) {
  const { statistics: labels } = copy
  const share = (value: number | null) => (value === null ? copy.none : formatShare(value))
  return (
    <Card title={labels.title}>
      <Figures columns={2}>
        <Figure
          label={labels.cagr}
          value={figures.cagr === null ? copy.none : formatReturn(figures.cagr)}
          note={reasonFor('cagr', figures)}
        />
        <Figure
          label={labels.volatility}
          value={share(figures.volatility)}
          note={reasonFor('volatility', figures)}
        />
        <Figure
          label={labels.calmar}
          value={formatRatio(figures.calmar)}
          note={reasonFor('calmar', figures)}
        />
        <Figure
          label={labels.profitFactor}
          value={formatRatio(figures.profit_factor)}
          note={reasonFor('profit_factor', figures)}
        />
        <Figure label={labels.longestDrawdown} value={formatDuration(figures.max_drawdown_seconds * 1000)} />
        <Figure label={labels.trades} value={formatQuantity(figures.trades)} />
      </Figures>
    </Card>
  )
}

function Trades({ address, total }: { address: PerformanceAddress; total: number }) {
  const trades = useTrades(tradesOf(address))
  return (
    <Loaded
      load={trades}
      loading={copy.trades.loading}
      failed={copy.trades.failed}
      reason={problemText(trades.error)}
    >
      {({ pages }) => (
        <TradesPanel
          trades={pages.flatMap((page) => page.trades)}
          total={total}
          onMore={trades.hasNextPage ? () => void trades.fetchNextPage() : undefined}
          isLoading={trades.isFetchingNextPage}
        />
      )}
    </Loaded>
  )
}

/** PERF-28 */
function AdvancedOff() {
  const { title, text, link } = copy.advancedOff
  return (
    <Card title={title}>
      <p>
        {text} <TextLink to={paths.adminFeatures}>{link}</TextLink>
      </p>
    </Card>
  )
}

/** PERF-24: shown while Advanced Analytics is on, or the engine has no such flag. */
function Risk({ period }: { period: PerformancePeriod }) {
  const risk = useQuery(performanceQueries.risk(period))
  return (
    <Loaded
      load={risk}
      loading={copy.risk.loading}
      failed={copy.risk.failed}
      reason={problemText(risk.error)}
    >
      {(loaded) => (
        <>
          <LossPanel losses={loaded.losses} days={loaded.days} />
          <CorrelationPanel correlation={loaded.correlation} />
          <StressPanel scenarios={loaded.scenarios} open_positions={loaded.open_positions} />
        </>
      )}
    </Loaded>
  )
}
