import type { Backtest, BacktestLabels, StrategyType, Sweep, SweepSummary } from '@binnacle/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  backtestQueries,
  isActive,
  useCancelBacktest,
  useLabelBacktest,
  usePromoteBacktest,
  useRerunBacktest,
  useStartBacktest,
} from '#data/backtests.ts'
import { useOffers } from '#data/capabilities.ts'
import { useDataSets } from '#data/data-sets.ts'
import { useIsFeatureOff } from '#data/engine.ts'
import { problemText } from '#data/failure.ts'
import { useInstruments } from '#data/instruments.ts'
import { useStrategyTypes } from '#data/strategy-types.ts'
import { type SweepRequest, sweepQueries, useCancelSweep, useStartSweep } from '#data/sweeps.ts'
import type { FormFailure } from '#form-failure.ts'
import { paths } from '#paths.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import classes from './backtesting-page.module.css'
import { ComparePanel } from './compare-panel.tsx'
import { copy } from './copy.ts'
import { errorOfRun } from './module-source.ts'
import { PromotedStrategies } from './promoted-strategies.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { ResultPanel } from './result-panel.tsx'
import { useRunAddress } from './run-address.ts'
import {
  blankTexts,
  commonPeriod,
  type FieldErrors,
  labelsOf,
  lastDays,
  namesIn,
  type RunTexts,
  requestOf,
  textsOfRun,
} from './run-form.ts'
import { RunFormPanel } from './run-form-panel.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { BLANK_SWEEP, requestOfSet, sweepLabels, sweepRequestOf } from './sweep-form.ts'
import { SweepsPanel } from './sweeps-panel.tsx'

/** Loaded after a result, and there before it is opened: only then the focus goes back when it is closed. */
const PromoteDialog = lazyPart(async () => (await import('./promote-dialog.tsx')).PromoteDialog)

const ModulePanel = lazyPart(async () => (await import('./module-panel.tsx')).ModulePanel)
const WorkersPanel = lazyPart(async () => (await import('./workers-panel.tsx')).WorkersPanel)
const SweepView = lazyPart(async () => (await import('./sweep-view.tsx')).SweepView)
const LabelsDialog = lazyPart(async () => (await import('./labels-dialog.tsx')).LabelsDialog)

/** The screen of the capability `backtesting`. */
export function BacktestingPage() {
  const { address, setAddress, setCompared } = useRunAddress()
  const isOff = useIsFeatureOff('backtesting')
  const hasSweeps = useOffers('sweeps')
  const list = useQuery(backtestQueries.list())
  const [isArchived, setIsArchived] = useState(false)
  const listed = useQuery(backtestQueries.list(isArchived))
  const chooseRun = (run: string) => setAddress({ run, sweep: undefined })
  const chooseSweep = (sweep: string) => setAddress({ run: undefined, sweep })
  const form = useRunForm({
    onRun: (run) => chooseRun(String(run.id)),
    onSweep: (sweep) => chooseSweep(String(sweep.id)),
  })
  const sweeps = useQuery({ ...sweepQueries.list(), enabled: hasSweeps })
  const shownRun = list.data?.find(({ id }) => String(id) === address.run)
  const cancelSweep = useCancelSweep(
    createFailureToasts({ name: (id) => `sweep ${id}`, unknown: copy.sweeps.unknown }),
  )
  const cancel = useCancelBacktest(
    createFailureToasts({ name: (id) => `backtest ${id}`, unknown: copy.queue.unknown }),
  )
  const { compared } = address
  const comparedRuns = useQueries({
    queries: compared.map((id) => backtestQueries.one(id)),
    combine: completedRuns,
  })
  return (
    <Screen
      title={copy.title}
      back={{ to: paths.trader, label: copy.back }}
      actions={
        hasSweeps &&
        address.module === undefined && (
          <Button onClick={() => setAddress({ module: 'mine.ts' })}>{copy.editor.open}</Button>
        )
      }
    >
      {isOff && (
        <Notice tone="warn" title={copy.off.title}>
          {copy.off.text}
        </Notice>
      )}
      <div className={classes.view}>
        <div className={classes.column}>
          <RunFormPanel {...form.panel} />
          <QueuePanel
            runs={list.data?.filter(isActive) ?? []}
            cancelling={cancel.pendingSubjects}
            onCancel={cancel.run}
          />
          {hasSweeps && (
            <>
              <SweepsPanel
                sweeps={sweeps.data ?? []}
                chosen={address.sweep}
                cancelling={cancelSweep.pendingSubjects}
                onChoose={chooseSweep}
                onCancel={cancelSweep.run}
              />
              <LazyBoundary>
                <WorkersPanel />
              </LazyBoundary>
            </>
          )}
        </div>
        <div className={classes.column}>
          {hasSweeps && address.module !== undefined && (
            <LazyBoundary fallback={<Loading text={copy.editor.loading} />}>
              <ModulePanel
                key={address.module}
                name={address.module}
                runError={errorOfRun(shownRun?.error, address.module)}
                onName={(module) => setAddress({ module })}
                onBacktest={form.runModule}
              />
            </LazyBoundary>
          )}
          {address.sweep !== undefined ? (
            <ChosenSweep
              key={address.sweep}
              id={address.sweep}
              onUse={form.takeSet}
              onAgain={(sweep) => chooseSweep(String(sweep.id))}
            />
          ) : address.run === undefined ? (
            address.module === undefined && (
              <EmptyState title={copy.result.none}>
                <p>{copy.result.noneHint}</p>
              </EmptyState>
            )
          ) : (
            <ChosenRun
              key={address.run}
              id={address.run}
              onRerun={(run) => chooseRun(String(run.id))}
              onClone={form.clone}
            />
          )}
        </div>
        <div className={classes.column}>
          <ComparePanel runs={comparedRuns} onRemove={(id) => setCompared(id, false)} />
          <Loaded
            load={listed}
            loading={copy.runs.loading}
            failed={copy.runs.failed}
            reason={problemText(listed.error)}
          >
            {(runs) => (
              <RunsPanel
                runs={runs}
                chosen={address.run}
                compared={compared}
                isArchived={isArchived}
                onArchived={setIsArchived}
                onChoose={chooseRun}
                onCompare={setCompared}
              />
            )}
          </Loaded>
        </div>
      </div>
    </Screen>
  )
}

/** Outside the component: the array stays the same until a run changes, and with it the chart of the comparison. */
function completedRuns(loads: readonly { data: Backtest | undefined }[]): readonly Backtest[] {
  return loads.flatMap(({ data }) => (data?.result ? [data] : []))
}

/** The form of a new run, and what fills it. */
function useRunForm({
  onRun,
  onSweep,
}: {
  onRun: (run: Backtest) => void
  onSweep: (sweep: SweepSummary) => void
}) {
  const types = useStrategyTypes()
  const instruments = useInstruments()
  const { data: recorded } = useQuery(backtestQueries.recorded())
  const dataSets = useDataSets()
  const hasSweeps = useOffers('sweeps')
  const [typed, setTyped] = useState<RunTexts>()
  const [missing, setMissing] = useState<FieldErrors>()
  const start = useStartBacktest({
    onFailure: toastFailureAfterUnmount(copy.form.unknown),
    onDone: onRun,
  })
  const [sweep, setSweep] = useState(BLANK_SWEEP)
  const [missingInSweep, setMissingInSweep] = useState<FieldErrors>()
  const startSweep = useStartSweep({
    onFailure: toastFailureAfterUnmount(copy.sweepForm.unknown),
    onDone: onSweep,
  })
  const first = types[0]
  const texts = typed ?? (first && recorded && blankTexts(first, recorded))
  const type = types.find((known) => known.type === texts?.type)
  const submit = () => {
    if (texts === undefined || type === undefined) return
    const checked = requestOf(texts, type)
    setMissing('errors' in checked ? checked.errors : undefined)
    // What was sent stays in the form when the recorded period grows.
    setTyped(texts)
    if ('request' in checked) start.run(checked.request)
  }
  const submitSweep = () => {
    if (texts === undefined || type === undefined) return
    const checked = requestOf(texts, type)
    setMissing('errors' in checked ? checked.errors : undefined)
    setTyped(texts)
    if ('errors' in checked) return
    const wanted = sweepRequestOf(checked.request, sweep)
    setMissingInSweep('errors' in wanted ? wanted.errors : undefined)
    if ('request' in wanted) startSweep.run(wanted.request)
  }
  const fill = (request: Backtest['request']): boolean => {
    const cloned = types.find((known) => known.type === request.strategy.type)
    if (cloned === undefined) return false
    setMissing(undefined)
    start.reset()
    setTyped(textsOfRun({ request }, cloned))
    return true
  }
  const sweepFailure = sweepFailureOf(
    missingInSweep,
    startSweep.failure,
    texts && type && sweepLabels(type, texts),
  )
  return {
    /** EDIT-5: over the last days, with the defaults of its kind. */
    runModule: (module: string) => {
      const custom = types.find((known) => known.type === 'custom')
      if (custom === undefined || recorded === undefined) return
      const blank = blankTexts(custom, recorded)
      const current =
        texts?.type === 'custom'
          ? texts
          : { ...blank, ...lastDays(commonPeriod(namesIn(blank.traded), recorded), 1) }
      const next = { ...current, settings: { ...current.settings, module } }
      const checked = requestOf(next, custom)
      setMissing('errors' in checked ? checked.errors : undefined)
      setTyped(next)
      if ('request' in checked) start.run(checked.request)
    },
    clone: (run: Backtest) => {
      if (fill(run.request)) notify('info', copy.form.cloned(copy.name(run.id)))
    },
    takeSet: (found: Sweep, set: number) => {
      if (fill(requestOfSet(found, set))) notify('info', copy.sweepForm.used)
    },
    panel: {
      types,
      instruments,
      recorded: recorded ?? [],
      // NAUT-164: another engine than the embedded one runs over its own bars, one run at a time.
      dataSets: hasSweeps ? (dataSets ?? []) : [],
      texts,
      failure: failureOf(missing, start.failure, type),
      sweep: hasSweeps
        ? {
            texts: sweep,
            failure: sweepFailure,
            busy: startSweep.isPending,
            change: setSweep,
            submit: submitSweep,
          }
        : undefined,
      busy: start.isPending,
      onChange: setTyped,
      onSubmit: submit,
    },
  }
}

function failureOf(
  missing: FieldErrors | undefined,
  failure: ReturnType<typeof useStartBacktest>['failure'],
  type: StrategyType | undefined,
): FormFailure | undefined {
  if (missing) return { fields: missing, text: undefined }
  return failure && formFailure(failure, labelled(copy.form.unknown, type && labelsOf(type)))
}

/** Only what is refused of the sweep itself; the fields of its run are above it. */
function sweepFailureOf(
  missing: FieldErrors | undefined,
  failure: ReturnType<typeof useStartSweep>['failure'],
  labels: Readonly<Record<string, string>> | undefined,
): FormFailure | undefined {
  if (missing) return { fields: missing, text: undefined }
  return failure && formFailure(failure, labelled(copy.sweepForm.unknown, labels))
}

function labelled(unknown: string, labels: Readonly<Record<string, string>> = {}) {
  return { unknown, labels, fields: Object.keys(labels) }
}

function requestAgain({ request }: Sweep): SweepRequest {
  // The server accepted it before; a reply names types of strategies that this console may not know.
  return request as SweepRequest
}

interface ChosenSweepProps {
  id: string
  onUse: (sweep: Sweep, set: number) => void
  onAgain: (sweep: SweepSummary) => void
}

function ChosenSweep({ id, onUse, onAgain }: ChosenSweepProps) {
  const one = useQuery(sweepQueries.one(id))
  const start = useStartSweep({
    ...createFailureToasts({
      name: () => `re-run of sweep ${id}`,
      unknown: () => copy.sweeps.againUnknown(id),
    }),
    onDone: onAgain,
  })
  return (
    <Loaded
      load={one}
      loading={copy.sweeps.loading}
      failed={copy.sweeps.failed}
      reason={problemText(one.error)}
    >
      {(sweep) => (
        <LazyBoundary fallback={<Loading text={copy.sweeps.loading} />}>
          <SweepView
            sweep={sweep}
            onUse={(set) => onUse(sweep, set)}
            again={{ busy: start.isPending, run: () => start.run(requestAgain(sweep)) }}
          />
        </LazyBoundary>
      )}
    </Loaded>
  )
}

interface ChosenRunProps {
  id: string
  onRerun: (run: Backtest) => void
  onClone: (run: Backtest) => void
}

function ChosenRun({ id, onRerun, onClone }: ChosenRunProps) {
  const one = useQuery(backtestQueries.one(id))
  const { data: runs } = useQuery(backtestQueries.list())
  const rerun = useRerunBacktest({
    ...createFailureToasts({
      name: (again) => `re-run of backtest ${again}`,
      unknown: copy.result.rerunUnknown,
    }),
    onDone: onRerun,
  })
  const promotion = usePromotion()
  const labels = useLabels()
  const repeated = one.data?.rerun_of
  const listed = runs?.find((other) => other.id === repeated)
  const { data: older } = useQuery({
    ...backtestQueries.one(String(repeated)),
    enabled: repeated != null && runs !== undefined && listed === undefined,
  })
  return (
    <Loaded
      load={one}
      loading={copy.result.loading}
      failed={copy.result.failed}
      reason={problemText(one.error)}
    >
      {(run) => (
        <>
          <ResultPanel
            run={run}
            original={listed ?? older}
            isRerunning={rerun.isPending}
            on={{
              rerun: () => rerun.run(run.id),
              clone: () => onClone(run),
              promote: promotion.open,
              label: labels.open,
              archive: () => labels.archive(run),
            }}
          />
          <PromotedStrategies run={run.id} />
          <LazyBoundary
            resetKey={labels.dialog.opened}
            onClose={labels.dialog.opened ? labels.dialog.onClose : undefined}
          >
            <LabelsDialog {...labels.dialog} run={run} onSubmit={(given) => labels.submit(run, given)} />
          </LazyBoundary>
          {run.result && (
            <LazyBoundary
              resetKey={promotion.dialog.opened}
              onClose={promotion.dialog.opened ? promotion.dialog.onClose : undefined}
            >
              <PromoteDialog
                {...promotion.dialog}
                run={run}
                onSubmit={(name) => promotion.submit(run, name)}
              />
            </LazyBoundary>
          )}
        </>
      )}
    </Loaded>
  )
}

/** BT-32 */
function useLabels() {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const label = useLabelBacktest({ onFailure: toastFailureAfterUnmount(copy.labels.unknown), onDone: close })
  const archive = useLabelBacktest(
    createFailureToasts({
      name: ({ id }) => `labels of ${id}`,
      unknown: ({ id }) => copy.result.labelUnknown(id),
    }),
  )
  const labelsOf = ({ tags = [], note = '', archived = false }: Backtest) => ({ tags, note, archived })
  return {
    open: () => {
      label.reset()
      setOpened(true)
    },
    archive: (run: Backtest) => {
      const labels = labelsOf(run)
      archive.run({ id: run.id, labels: { ...labels, archived: !labels.archived } })
    },
    submit: (run: Backtest, given: Pick<BacktestLabels, 'tags' | 'note'>) =>
      label.run({ id: run.id, labels: { ...labelsOf(run), ...given } }),
    dialog: {
      opened,
      busy: label.isPending,
      failure:
        label.failure &&
        formFailure(label.failure, labelled(copy.labels.unknown, { tags: copy.labels.tags })),
      onClose: close,
    },
  }
}

/** BT-28, BT-33: the strategy is added as any other one, stays stopped, and keeps its run. */
function usePromotion() {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const add = usePromoteBacktest({
    onFailure: toastFailureAfterUnmount(copy.promote.unknown),
    onDone: (_, { name }) => {
      close()
      notify('success', copy.promote.done(name))
    },
  })
  return {
    open: () => {
      add.reset()
      setOpened(true)
    },
    submit: (run: Backtest, name: string) => add.run({ id: run.id, name }),
    dialog: {
      opened,
      busy: add.isPending,
      failure:
        add.failure && formFailure(add.failure, labelled(copy.promote.unknown, { name: copy.promote.name })),
      onClose: close,
    },
  }
}
