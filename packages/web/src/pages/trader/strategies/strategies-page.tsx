import type { Strategy } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import {
  strategyQueries,
  useAddStrategy,
  useDeleteStrategy,
  useStartStrategy,
  useStopStrategy,
  useStrategiesBeingChanged,
} from '#data/strategies.ts'
import { paths } from '#paths.ts'
import { showProblem } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { NewStrategyDialog } from './new-strategy-dialog.tsx'
import { StrategyCard } from './strategy-card.tsx'

export function StrategiesPage() {
  const { data: strategies, isPending, error } = useQuery(strategyQueries.list({ onFailure: logOnly }))
  const [isAdding, setIsAdding] = useState(false)
  const add = useAddStrategy({ onFailure: showProblem, onDone: () => setIsAdding(false) })
  const start = useStartStrategy({ onFailure: showProblem })
  const stop = useStopStrategy({ onFailure: showProblem })
  const remove = useDeleteStrategy({ onFailure: showProblem })
  const busyIds = useStrategiesBeingChanged()
  const { ask, dialog } = useConfirm()
  const askToDelete = ({ id, name }: Strategy) => ask(copy.deleteQuestion, () => remove.run(id), name)
  const problem = problemText(error)
  const isEmpty = strategies?.length === 0
  const addButton = (
    <Button kind="primary" onClick={() => setIsAdding(true)}>
      {copy.add}
    </Button>
  )
  return (
    <Screen
      title={copy.title}
      back={{ to: paths.admin, label: copy.back }}
      // The empty state brings the button itself.
      actions={!isPending && !isEmpty && addButton}
    >
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {isEmpty && (
        <EmptyState title={copy.empty}>
          <p>{copy.emptyHint}</p>
          {addButton}
        </EmptyState>
      )}
      {strategies !== undefined && !isEmpty && (
        <Grid>
          {strategies.map((strategy) => (
            <StrategyCard
              key={strategy.id}
              strategy={strategy}
              busy={busyIds.has(strategy.id)}
              onStart={() => start.run(strategy.id)}
              onStop={() => stop.run(strategy.id)}
              onDelete={() => askToDelete(strategy)}
            />
          ))}
        </Grid>
      )}
      <NewStrategyDialog
        opened={isAdding}
        busy={add.isPending}
        onClose={() => setIsAdding(false)}
        onSubmit={add.run}
      />
      {dialog}
    </Screen>
  )
}
