import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { dashboardQueries } from '#data/dashboard.ts'
import { engineQueries, isRunningStatus } from '#data/engine.ts'
import { logOnly } from '#data/failure.ts'
import { formatNumber } from '#format/number.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { LinkCard } from '#ui/control/link-card.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { cards, copy, figures } from './copy.ts'
import classes from './dashboard-page.module.css'
import { FactsPanel } from './facts-panel.tsx'

export function AdminDashboardPage() {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const engine = useQuery(
    engineQueries.info({
      onLoaded: () => notify('success', copy.connected),
      onFailure: notifyFailure(copy.connectFailed),
    }),
  )
  return (
    <Screen
      title={copy.title}
      aside={<ConnectionBadge state={connectionOf(engine)} traderId={engine.data?.trader_id} />}
      back={{ to: paths.home, label: copy.back }}
      actions={
        <>
          <Button onClick={() => notify('info', copy.testMessage)}>{copy.testNotification}</Button>
          <Button busy={engine.isFetching} onClick={() => engine.refetch()}>
            {copy.refresh}
          </Button>
        </>
      }
    >
      <StatCards>
        <Figures isEngineRunning={engine.isError ? undefined : engine.data?.is_running} />
      </StatCards>
      {backend?.kind === 'live' && <FactsPanel engine={engine.data} hasAlerts={offers(backend, 'alerts')} />}
      <div className={classes.cards}>
        {cards.map((card) => (
          <LinkCard key={card.to} {...card} />
        ))}
      </div>
    </Screen>
  )
}

interface FiguresProps {
  /** Undefined while it is unknown. */
  isEngineRunning: boolean | undefined
}

function Figures({ isEngineRunning }: FiguresProps) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  if (backend?.kind === 'live') return <LiveFigures isEngineRunning={isEngineRunning} />
  return figures.map(({ label, value }) => (
    <Figure key={label} label={label} value={backend ? value : copy.unknown} />
  ))
}

/** ADM-9 */
function LiveFigures({ isEngineRunning }: FiguresProps) {
  const operations = useQuery(dashboardQueries.auditedChanges())
  const calls = useQuery(dashboardQueries.contractCalls())
  const components = useQuery(engineQueries.components({ onFailure: logOnly }))
  const values = [
    operations.data === undefined ? undefined : formatNumber(operations.data),
    String(ADMIN_PAGES),
    calls.data === undefined ? undefined : String(calls.data),
    components.isError ? undefined : statusOf(isEngineRunning, components.data),
  ]
  return figures.map(({ label }, index) => (
    <Figure key={label} label={label} value={values[index] ?? copy.unknown} />
  ))
}

const ADMIN_PAGES = Object.values(paths).filter((path) => path.startsWith(paths.admin)).length

/** Live only if the engine and all of its components run. */
function statusOf(
  isEngineRunning: boolean | undefined,
  components: readonly { status: string }[] | null | undefined,
): string | undefined {
  if (isEngineRunning === undefined || components === undefined) return undefined
  if (!isEngineRunning) return copy.stopped
  const all = components ?? []
  const running = all.filter(({ status }) => isRunningStatus(status)).length
  return running === all.length ? copy.live : copy.partly(running, all.length)
}

/** ADM-2: cached data of an earlier screen does not count; each visit loads again. */
function connectionOf(engine: { isFetchedAfterMount: boolean; isError: boolean }) {
  if (!engine.isFetchedAfterMount) return 'connecting'
  return engine.isError ? 'disconnected' : 'connected'
}

interface ConnectionBadgeProps {
  state: 'connecting' | 'connected' | 'disconnected'
  traderId: string | undefined
}

/** ADM-2 to ADM-4: the connection state beside the title. */
function ConnectionBadge({ state, traderId = '' }: ConnectionBadgeProps) {
  if (state === 'connecting') return <Badge tone="calm">{copy.connecting}</Badge>
  if (state === 'disconnected') return <Badge tone="bad">{copy.disconnected}</Badge>
  return <Badge tone="good">{copy.connectedTo(traderId)}</Badge>
}
