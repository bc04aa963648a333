import type { Strategy } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { capabilityQueries } from '#data/capabilities.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { useInstruments } from '#data/instruments.ts'
import {
  strategyQueries,
  useAddStrategy,
  useDeleteStrategy,
  useStartStrategy,
  useStopStrategy,
  useStrategiesBeingChanged,
} from '#data/strategies.ts'
import { useReconfigureStrategy, useStrategyTypes } from '#data/strategy-types.ts'
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
import { SettingsDialog } from './settings-dialog.tsx'
import { StrategyCard } from './strategy-card.tsx'
import { withoutEmptyRate } from './strategy-figures.ts'

export function StrategiesPage() {
  const { types, typeOf, configuring, configure } = useSettings()
  const isPolled = types.length > 0
  const list = strategyQueries.list({ onFailure: logOnly, isPolled })
  const { data: strategies, isPending, error } = useQuery(list)
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const instruments = useInstruments()
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
  const openForm = () => {
    add.beginAnew()
    setIsAdding(true)
  }
  const addButton = (
    <Button kind="primary" onClick={openForm}>
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
              strategy={isLive ? withoutEmptyRate(strategy) : strategy}
              busy={busyIds.has(strategy.id)}
              onStart={() => start.run(strategy.id)}
              onStop={() => stop.run(strategy.id)}
              onDelete={() => askToDelete(strategy)}
              onConfigure={typeOf(strategy) && (() => configuring.open(strategy))}
            />
          ))}
        </Grid>
      )}
      <NewStrategyDialog
        opened={isAdding}
        busy={add.isPending}
        types={types}
        instruments={instruments}
        onClose={() => setIsAdding(false)}
        onSubmit={add.run}
      />
      <SettingsDialog
        strategy={strategies?.find(({ id }) => id === configuring.strategy?.id) ?? configuring.strategy}
        type={configuring.strategy && typeOf(configuring.strategy)}
        busy={configure.isPending}
        instruments={instruments}
        onClose={configuring.close}
        onSubmit={(config) => configuring.strategy && configure.run({ id: configuring.strategy.id, config })}
      />
      {dialog}
    </Screen>
  )
}

/** The settings that are open, with what the backend tells of their kinds. */
function useSettings() {
  const types = useStrategyTypes()
  const [strategy, setStrategy] = useState<Strategy>()
  const close = () => setStrategy(undefined)
  return {
    types,
    typeOf: ({ type }: Strategy) => types.find((known) => known.type === type),
    configuring: { strategy, open: setStrategy, close },
    configure: useReconfigureStrategy({ onFailure: showProblem, onDone: close }),
  }
}
