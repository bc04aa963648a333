import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useEngines } from '#data/engines.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { useTickSizes } from '#data/instruments.ts'
import { positionQueries } from '#data/positions.ts'
import { accountQuery } from '#data/risk.ts'
import { paths, unroutedPaths } from '#paths.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ClosedPositions } from './closed-positions.tsx'
import { copy } from './copy.ts'
import { usePositionActions } from './position-actions.tsx'
import { summarize } from './position-summary.ts'
import { PositionsTable } from './positions-table.tsx'
import { SummaryCards } from './summary-cards.tsx'

const AllEnginesPositions = lazyPart(
  async () => (await import('./all-engines-positions.tsx')).AllEnginesPositions,
)

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  load(positionQueries.list({ onFailure: logOnly }))
  load(accountQuery(backend))
}

export function PositionsPage() {
  const engines = useEngines()
  const [search] = useSearchParams()
  const isAll = search.get('engines') === 'all' && engines.length > 1
  return isAll ? (
    <AllEnginesPositions engines={engines} />
  ) : (
    <EnginePositions hasOthers={engines.length > 1} />
  )
}

/** The positions of the engine that the console shows. */
function EnginePositions({ hasOthers }: { hasOthers: boolean }) {
  const freshness = useFreshness('positions')
  const { data: positions, isPending, error } = useQuery(positionQueries.list({ onFailure: logOnly }))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const ticks = useTickSizes()
  const account = useQuery(accountQuery(backend))
  const actions = usePositionActions(positions)
  const problem = problemText(error)
  const hasHistory = offers(backend, 'order-history')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const tab = search.get('tab') === 'closed' && hasHistory ? 'closed' : 'open'
  const before = Number(search.get('before')) || undefined
  const open = (
    <>
      {positions?.length === 0 && (
        <EmptyState title={copy.empty}>
          <TextLink to={unroutedPaths.adminOrders}>{copy.emptyLink}</TextLink>
        </EmptyState>
      )}
      {positions !== undefined && positions.length > 0 && (
        <PositionsTable positions={positions} actions={actions} ticks={ticks} isLive={isLive} />
      )}
    </>
  )
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <>
          {hasOthers && <TextLink to={`${paths.positions}?engines=all`}>{copy.allEngines.link}</TextLink>}
          {actions.closeAll}
        </>
      }
    >
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {positions && (
        <SummaryCards
          summary={summarize(positions)}
          isLive={isLive}
          account={account.isLoading ? 'loading' : account.data}
        />
      )}
      {hasHistory ? (
        <Tabs
          label={copy.title}
          tabs={TABS}
          active={tab}
          onChange={(chosen) =>
            navigate(chosen === 'open' ? paths.positions : `${paths.positions}?tab=closed`, { replace: true })
          }
        >
          {tab === 'open' ? open : <ClosedPositions before={before} />}
        </Tabs>
      ) : (
        open
      )}
      {actions.dialogs}
    </Screen>
  )
}

const TABS = [
  { name: 'open', label: copy.tabs.open },
  { name: 'closed', label: copy.tabs.closed },
] as const
