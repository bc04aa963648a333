import type { Position } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { positionQueries, useClosePosition, usePositionsBeingClosed } from '#data/positions.ts'
import { paths, unroutedPaths } from '#paths.ts'
import { showProblem } from '#state/toasts.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { PositionInQuestion } from './position-in-question.tsx'
import { summarize } from './position-summary.ts'
import { PositionsTable } from './positions-table.tsx'
import { SummaryCards } from './summary-cards.tsx'

export function PositionsPage() {
  const { data: positions, isPending, error } = useQuery(positionQueries.list({ onFailure: logOnly }))
  const { run: close } = useClosePosition({ onFailure: showProblem })
  const { ask, dialog } = useConfirm()
  const askToClose = useCallback(
    (position: Position) =>
      ask(copy.closeQuestion, () => close(position.id), <PositionInQuestion position={position} />),
    [ask, close],
  )
  const busyIds = usePositionsBeingClosed()
  const problem = problemText(error)
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }}>
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {positions && <SummaryCards summary={summarize(positions)} />}
      {positions?.length === 0 && (
        <EmptyState title={copy.empty}>
          <TextLink to={unroutedPaths.adminOrders}>{copy.emptyLink}</TextLink>
        </EmptyState>
      )}
      {positions !== undefined && positions.length > 0 && (
        <PositionsTable positions={positions} busyIds={busyIds} onClose={askToClose} />
      )}
      {dialog}
    </Screen>
  )
}
