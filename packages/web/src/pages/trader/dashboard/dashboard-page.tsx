import type { RiskMetrics } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useAlertSummary } from '#data/alerts.ts'
import { type Backend, capabilityQueries, offers } from '#data/capabilities.ts'
import { engineQueries, useIsServiceStopped } from '#data/engine.ts'
import { useEngines } from '#data/engines.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { orderQueries } from '#data/orders.ts'
import { positionQueries } from '#data/positions.ts'
import { riskQueries } from '#data/risk.ts'
import { dayBefore, dayWindow, useSamples } from '#data/samples.ts'
import { strategyQueries } from '#data/strategies.ts'
import type { ShownTopic } from '#data/stream/stream-topics.ts'
import { formatPercent, percentOf } from '#format/percent.ts'
import { paths } from '#paths.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { LinkCard } from '#ui/control/link-card.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge, PanelFreshness } from '#ui/state/freshness-badge.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { AlertsGlance } from './alerts-glance.tsx'
import { ComponentsCard } from './components-card.tsx'
import { copy } from './copy.ts'
import classes from './dashboard-page.module.css'
import { CURVE_POINTS, CURVES, DAY_SERIES } from './day-view.ts'
import { EngineCard } from './engine-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { OrdersGlance, PositionsGlance } from './glance-tables.tsx'
import { PnlPanel } from './pnl-panel.tsx'
import { RiskCard } from './risk-card.tsx'
import { pnlSeries, StrategyStrip, shownStrategies } from './strategy-strip.tsx'

/** Points of a curve over the day, and of a spark line. */
const DAY_POINTS = 300
const SPARK_POINTS = 60

const AllEnginesPanel = lazyPart(async () => (await import('./all-engines-panel.tsx')).AllEnginesPanel)

/** SHELL-111 */
export const firstLoads: FirstLoads = (load) => {
  const options = { onFailure: logOnly, isPolled: true }
  load(engineQueries.summary())
  load(engineQueries.info(options))
  load(engineQueries.components(options))
  load(riskQueries.metrics(options))
  load(positionQueries.list(options))
  load(orderQueries.list(options))
  load(strategyQueries.list(options))
}

export function TraderDashboardPage() {
  const engines = useEngines()
  const [search] = useSearchParams()
  const isAll = search.get('engines') === 'all' && engines.length > 1
  return isAll ? <AllEnginesPanel engines={engines} /> : <EnginePanel hasOthers={engines.length > 1} />
}

/** What the engine that the console shows does now. */
function EnginePanel({ hasOthers }: { hasOthers: boolean }) {
  const freshness = useFreshness('engine')
  const engine = useQuery(engineQueries.info({ onFailure: logOnly, isPolled: true }))
  const components = useQuery(engineQueries.components({ onFailure: logOnly }))
  const metrics = useQuery(riskQueries.metrics({ onFailure: logOnly }))
  const problems = [engine, components, metrics].map(({ error }) => problemText(error))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const live = useLiveFigures(backend)
  const { account } = metrics.data ?? {}
  const alerts = useAlertSummary()
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.home, label: copy.back }}
      actions={hasOthers && <TextLink to={`${paths.trader}?engines=all`}>{copy.allEngines.link}</TextLink>}
    >
      {[...new Set(problems)].map(
        (problem) => problem !== undefined && <Notice key={problem} tone="bad" title={problem} />,
      )}
      <FirstSteps orders={live.orders} strategies={live.strategies} />
      <div className={classes.area}>
        <div className={classes.panel} data-live={isLive || undefined}>
          <div className={classes.main}>
            {live.hasSamples && (
              <PnlPanel
                account={account}
                curves={live.curves}
                today={live.today}
                yesterday={live.yesterday}
                nowS={live.nowS}
                mark={<TopicMark topic="account" />}
              />
            )}
            <RiskCard
              isLoading={metrics.isPending}
              metrics={metrics.data}
              live={isLive ? live : undefined}
              mark={<TopicMark topic="risk" />}
            />
            {isLive && (
              <div className={classes.tables}>
                <PositionsGlance positions={live.positions} mark={<TopicMark topic="positions" />} />
                <OrdersGlance orders={live.orders} mark={<TopicMark topic="orders" />} />
              </div>
            )}
            {live.strategies && live.strategies.length > 0 && (
              <StrategyStrip strategies={live.strategies} today={live.strategyPnl} nowS={live.nowS} />
            )}
          </div>
          <div className={classes.side}>
            <EngineCard
              isLoading={engine.isPending}
              engine={engine.data}
              components={components.data ?? undefined}
              metrics={metrics.data}
              isNarrow={isLive}
            />
            <ComponentsCard isLoading={components.isPending} components={components.data} />
            {alerts && <AlertsGlance summary={alerts} />}
          </div>
        </div>
      </div>
      <div className={classes.links}>
        {copy.links.map(({ to, title, note }) => (
          <LinkCard
            key={to}
            to={to}
            title={title}
            note={(isLive && liveNotes(live, metrics.data).get(to)) || note}
          />
        ))}
      </div>
    </Screen>
  )
}

/** TRD-11: what a live backend is asked beside the specified calls; nothing in the baseline. */
function useLiveFigures(backend: Backend | undefined) {
  const isLive = backend?.kind === 'live'
  const options = { onFailure: logOnly }
  const { data: positions } = useQuery({ ...positionQueries.list(options), enabled: isLive })
  const { data: orders } = useQuery({ ...orderQueries.list(options), enabled: isLive })
  const { data: strategies } = useQuery({
    ...strategyQueries.list({ ...options, isPolled: true }),
    enabled: isLive,
  })
  const { data: overview } = useQuery({ ...riskQueries.overview(options), enabled: isLive })
  const isRiskStopped = useIsServiceStopped('risk')
  const nowMs = Date.now()
  const window = dayWindow(nowMs)
  const today = useSamples({ series: DAY_SERIES, window, points: DAY_POINTS })
  const curves = useSamples({ series: CURVES, window, points: CURVE_POINTS })
  const yesterday = useSamples({
    series: CURVES,
    window: dayBefore(window),
    points: CURVE_POINTS,
    isPast: true,
  })
  const strategyPnl = useSamples({
    series: shownStrategies(strategies ?? []).map(pnlSeries),
    window,
    points: SPARK_POINTS,
  })
  return {
    hasSamples: offers(backend, 'samples'),
    isRiskStopped,
    nowS: Math.floor(nowMs / 1000),
    positions,
    orders: orders?.orders,
    strategies,
    limits: overview?.limits,
    curves,
    today,
    yesterday,
    strategyPnl,
  }
}

/** TRD-17: what a link leads to, in figures. */
function liveNotes(
  { strategies, orders, positions, limits }: ReturnType<typeof useLiveFigures>,
  metrics: RiskMetrics | undefined,
): ReadonlyMap<string, string> {
  const { counts } = copy
  const running = strategies?.filter(({ status }) => status === 'running').length ?? 0
  const working = orders?.filter(({ status }) => status === 'PENDING').length ?? 0
  const limit = limits?.max_position_size
  const notes: [string, string | undefined | false][] = [
    [paths.strategies, strategies && counts.strategies(running, strategies.length)],
    [paths.orders, orders && counts.orders(working)],
    [paths.positions, positions && counts.positions(positions.length)],
    [
      paths.risk,
      metrics &&
        typeof limit === 'number' &&
        counts.risk(formatPercent(percentOf(metrics.total_exposure, limit), 1)),
    ],
  ]
  return new Map(notes.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function TopicMark({ topic }: { topic: ShownTopic }) {
  const freshness = useFreshness(topic)
  return freshness && <PanelFreshness {...freshness} />
}
