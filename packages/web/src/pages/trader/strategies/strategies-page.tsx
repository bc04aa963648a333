import { type NewStrategy, STRATEGY_TYPES, type Strategy, type StrategyType } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { promotionsQuery, usePromotions } from '#data/backtests.ts'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import type { CommandFailure } from '#data/command.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { useInstruments } from '#data/instruments.ts'
import { configField } from '#data/parameter-texts.ts'
import {
  type StrategyRef,
  strategyQueries,
  useAddStrategy,
  useDeletedStrategies,
  useDeleteStrategy,
  useStartStrategy,
  useStopStrategy,
} from '#data/strategies.ts'
import { strategyTypesQuery, useReconfigureStrategy } from '#data/strategy-types.ts'
import type { FormFailure } from '#form-failure.ts'
import { paths } from '#paths.ts'
import {
  createFailureToasts,
  formFailure,
  isEarlierRequest,
  toastFailureAfterUnmount,
} from '#state/command-failures.ts'
import { showUnconfirmed } from '#state/toasts.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { DeletedStrategies } from './deleted-strategies.tsx'
import { NewStrategyDialog } from './new-strategy-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { StrategyCard } from './strategy-card.tsx'
import { StrategyDrawer } from './strategy-drawer.tsx'

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  load(strategyQueries.list({ onFailure: logOnly }))
  if (offers(backend, 'strategy-types')) load(strategyTypesQuery(backend))
  if (offers(backend, 'backtesting')) load(promotionsQuery(backend))
}

export function StrategiesPage() {
  const freshness = useFreshness('strategies')
  const { types, typeOf, canConfigure, configuring, configure } = useSettings()
  const isPolled = types.length > 0
  const list = strategyQueries.list({ onFailure: logOnly, isPolled })
  const { data: strategies, isPending, error } = useQuery(list)
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const instruments = useInstruments()
  const deleted = useDeletedStrategies()
  const promotions = usePromotions()
  const [isAdding, setIsAdding] = useState(false)
  const [cloned, setCloned] = useState<NewStrategy>()
  const navigate = useNavigate()
  const shownId = useSearchParams()[0].get('strategy')
  const shown = strategies?.find(({ id }) => String(id) === shownId)
  const add = useAddStrategy({
    onFailure: toastFailureAfterUnmount(copy.dialog.unknown),
    onDone: () => setIsAdding(false),
  })
  const start = useStartStrategy(changeFailures(copy.unknown.start))
  const stop = useStopStrategy({
    ...changeFailures(copy.unknown.stop),
    onDone: showUnconfirmed,
  })
  const remove = useDeleteStrategy(changeFailures(copy.unknown.delete))
  const { ask, dialog } = useConfirm()
  const askToDelete = ({ id, name }: Strategy) =>
    ask({
      question: copy.deleteQuestion,
      detail: name,
      action: copy.delete,
      onConfirm: () => remove.run({ id, name }),
    })
  const problem = problemText(error)
  const isEmpty = strategies?.length === 0
  const openForm = (initial?: NewStrategy) => {
    add.reset()
    setCloned(initial)
    setIsAdding(true)
  }
  const addButton = (
    <Button kind="primary" onClick={() => openForm()}>
      {copy.add}
    </Button>
  )
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
      // The empty state has its own button.
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
              strategy={isLive ? withoutEmptyWinRate(strategy) : strategy}
              isLive={isLive}
              busy={start.pendingSubjects.has(String(strategy.id))}
              promotion={promotions.get(String(strategy.id))}
              onStart={() => start.run(strategy)}
              onStop={() => stop.run(strategy)}
              onDelete={() => askToDelete(strategy)}
              onConfigure={canConfigure(strategy) ? () => configuring.open(strategy) : undefined}
              onClone={canConfigure(strategy) ? () => openForm(cloneOf(strategy)) : undefined}
              detailAddress={isLive ? `${paths.strategies}?strategy=${strategy.id}` : undefined}
            />
          ))}
        </Grid>
      )}
      {deleted.length > 0 && <DeletedStrategies strategies={deleted} />}
      <NewStrategyDialog
        opened={isAdding}
        initial={cloned}
        busy={add.isPending}
        failure={add.failure && addFailure(add.failure, types)}
        isUnanswered={add.isUnanswered}
        types={types}
        instruments={instruments}
        onClose={() => setIsAdding(false)}
        onSubmit={add.run}
      />
      <SettingsDialog
        strategy={strategies?.find(({ id }) => id === configuring.strategy?.id) ?? configuring.strategy}
        type={configuring.strategy && typeOf(configuring.strategy)}
        busy={configure.isPending}
        failure={
          configure.failure &&
          formFailure(configure.failure, { unknown: copy.settings.unknown, fields: configFields(types) })
        }
        instruments={instruments}
        onClose={configuring.close}
        onSubmit={(config) => configuring.strategy && configure.run({ id: configuring.strategy.id, config })}
      />
      {dialog}
      {isLive && shown && (
        <StrategyDrawer
          key={shown.id}
          strategy={shown}
          type={typeOf(shown)}
          onClose={() => navigate(paths.strategies, { replace: true })}
        />
      )}
    </Screen>
  )
}

const NO_TYPES: readonly StrategyType[] = []

/** The open settings dialog, with the strategy types of the backend. */
function useSettings() {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const { data: types = NO_TYPES, isLoading } = useQuery(strategyTypesQuery(backend))
  const typeOf = ({ type }: Strategy) => types.find((known) => known.type === type)
  const [strategy, setStrategy] = useState<Strategy>()
  const close = () => setStrategy(undefined)
  const configure = useReconfigureStrategy({
    onFailure: toastFailureAfterUnmount(copy.settings.unknown),
    onDone: close,
  })
  const open = (opened: Strategy) => {
    configure.reset()
    setStrategy(opened)
  }
  return {
    types,
    typeOf,
    /** SHELL-115: the buttons of a card do not move when the types are loaded. */
    canConfigure: (of: Strategy) => isLoading || typeOf(of) !== undefined,
    configuring: { strategy, open, close },
    configure,
  }
}

/** Starting, stopping and deleting one strategy replace each other's messages. */
function changeFailures(unknown: (name: string) => string) {
  return createFailureToasts<StrategyRef>({
    name: ({ id }) => `strategy ${id}`,
    unknown: ({ name }) => unknown(name),
  })
}

/** STRAT-52: the same settings under a name that is not taken by the original. */
function cloneOf({ name, type, description, config = {} }: Strategy): NewStrategy {
  const known = STRATEGY_TYPES.find((each) => each === type) ?? 'momentum'
  return { name: copy.cloneName(name), type: known, description: description ?? '', config }
}

/** STRAT-20: no win rate before the first trade, even if the backend sends 0. */
function withoutEmptyWinRate(strategy: Strategy): Strategy {
  const { performance } = strategy
  return performance.total_trades === 0
    ? { ...strategy, performance: { ...performance, win_rate: undefined } }
    : strategy
}

function addFailure(failure: CommandFailure, types: readonly StrategyType[]): FormFailure {
  if (isEarlierRequest(failure)) return { fields: {}, text: copy.dialog.earlierArrived }
  return formFailure(failure, { unknown: copy.dialog.unknown, fields: ['name', ...configFields(types)] })
}

function configFields(types: readonly StrategyType[]): readonly string[] {
  return types.flatMap(({ parameters }) => parameters.map(({ name }) => configField(name)))
}
