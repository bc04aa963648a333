import type { Id, Position } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { capabilityQueries } from '#data/capabilities.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { useTickSizes } from '#data/instruments.ts'
import { positionQueries, useClosePosition } from '#data/positions.ts'
import { useAccount } from '#data/risk.ts'
import { paths, unroutedPaths } from '#paths.ts'
import { showFailures } from '#state/command-failures.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessMark } from '#ui/state/freshness-mark.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ClosePositionDetails } from './close-position-details.tsx'
import { copy } from './copy.ts'
import { summarize } from './position-summary.ts'
import { PositionsTable } from './positions-table.tsx'
import { SummaryCards } from './summary-cards.tsx'

export function PositionsPage() {
  const freshness = useFreshness('positions')
  const { data: positions, isPending, error } = useQuery(positionQueries.list({ onFailure: logOnly }))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const ticks = useTickSizes()
  const account = useAccount()
  const { run: close, pendingSubjects: busyIds } = useClosePosition({
    ...closeFailures,
    onDone: showUnconfirmed,
  })
  const { ask, dialog } = useConfirm()
  const askToClose = useCallback(
    (position: Position) =>
      ask({
        question: copy.closeQuestion,
        detail: <ClosePositionDetails position={position} />,
        action: copy.confirmClose,
        onConfirm: () => close(position.id),
      }),
    [ask, close],
  )
  const problem = problemText(error)
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessMark {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
    >
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {positions && <SummaryCards summary={summarize(positions)} isLive={isLive} account={account} />}
      {positions?.length === 0 && (
        <EmptyState title={copy.empty}>
          <TextLink to={unroutedPaths.adminOrders}>{copy.emptyLink}</TextLink>
        </EmptyState>
      )}
      {positions !== undefined && positions.length > 0 && (
        <PositionsTable
          positions={positions}
          busyIds={busyIds}
          ticks={ticks}
          isLive={isLive}
          onClose={askToClose}
        />
      )}
      {dialog}
    </Screen>
  )
}

const closeFailures = showFailures<Id>({
  name: (id) => `close ${id}`,
  unknown: copy.closeUnknown,
})
