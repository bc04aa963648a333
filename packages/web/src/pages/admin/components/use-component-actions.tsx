import { useState } from 'react'
import { isRefusal, problemText } from '#data/failure.ts'
import { actionMessages } from '#ports/action-messages.ts'
import { COMPONENT_CONSEQUENCES } from '#ports/component-consequences.ts'
import type {
  ComponentAction,
  ComponentConfig,
  ComponentControls,
  ComponentEntry,
  ComponentOutcome,
  LifecycleAction,
} from '#ports/controls.ts'
import { usePortCommand } from '#ports/port-command.ts'
import { createActionToasts } from '#state/action-toasts.ts'
import { notify } from '#state/toasts.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { copy } from './copy.ts'
import { ImpactList } from './impact-list.tsx'

/** The actions on components. COMP-6: stopping or restarting a live component needs a confirmation. */
export function useComponentActions(port: ComponentControls) {
  const command = usePortCommand('components')
  const confirm = useConfirm()
  const [report, setReport] = useState<BulkOutcome>()
  const start = (action: ComponentAction, { id, name }: ComponentEntry, run: () => Promise<void>) =>
    command.run({
      control: `${action} ${id}`,
      run,
      ...createActionToasts(actionMessages(port.kind, action, name)),
    })
  const startAll = (action: LifecycleAction) => {
    setReport(undefined)
    const messages = createActionToasts(actionMessages(port.kind, action, copy.all))
    let warnings: string[] = []
    command.run({
      control: `all ${action}`,
      run: async () => {
        const outcomes = await port.actOnAll(action)
        warnings = warningsOf(action, outcomes)
        if (outcomes.length > 0) setReport({ action, outcomes })
      },
      ...messages,
      onDone: () => (warnings.length > 0 ? notify('warning', warnings.join(' ')) : messages.onDone()),
    })
  }
  const confirmFirst = (
    action: ComponentAction,
    component: ComponentEntry | undefined,
    proceed: () => void,
  ) => {
    const consequence = port.kind === 'live' ? consequenceOf(action, component?.id) : undefined
    if (consequence === undefined) proceed()
    else
      confirm.ask({
        question: copy.confirm[consequence.action](component?.name ?? copy.all),
        detail: (
          <>
            {consequence.text}
            <ImpactList
              action={consequence.action}
              componentId={component === undefined ? undefined : String(component.id)}
            />
          </>
        ),
        action: copy.confirmAction[consequence.action],
        onConfirm: proceed,
      })
  }
  return {
    isBusy: (action: ComponentAction, { id }: ComponentEntry) =>
      command.pendingSubjects.has(`${action} ${id}`),
    isAllBusy: (action: LifecycleAction) => command.pendingSubjects.has(`all ${action}`),
    act: (action: ComponentAction, component: ComponentEntry) =>
      confirmFirst(action, component, () => start(action, component, () => port.act(action, component.id))),
    actOnAll: (action: LifecycleAction) => confirmFirst(action, undefined, () => startAll(action)),
    configure: (component: ComponentEntry, config: ComponentConfig, on: ConfigureHandlers = {}) => {
      const words = createActionToasts(actionMessages(port.kind, 'configure', component.name))
      command.run({
        control: `configure ${component.id}`,
        run: async () => port.configure?.(component.id, config),
        ...words,
        onDone: () => {
          on.done?.()
          words.onDone()
        },
        onFailure: (error, request, context) => {
          const refusal = context.outcome === 'unknown' ? undefined : problemText(error)
          if (refusal === undefined || context.isUnmounted || !on.refused)
            return words.onFailure(error, request, context)
          on.refused(refusal)
          return undefined
        },
      })
    },
    report,
    dialog: confirm.dialog,
  }
}

export interface BulkOutcome {
  action: LifecycleAction
  outcomes: readonly ComponentOutcome[]
}

/** Without an answer a component may have been started or stopped, which is not the same as refused. */
function warningsOf(action: LifecycleAction, outcomes: readonly ComponentOutcome[]): string[] {
  const errors = outcomes.map(({ error }) => error).filter((error) => error !== undefined)
  const refused = errors.filter(isRefusal).length
  const unanswered = errors.length - refused
  return [
    ...(refused > 0 ? [copy.someFailed[action](refused)] : []),
    ...(unanswered > 0 ? [copy.someUnanswered(unanswered)] : []),
  ]
}

/** The form of a configuration shows its own refusal. */
export interface ConfigureHandlers {
  done?: () => void
  refused?: (reason: string) => void
}

interface Consequence {
  action: 'stop' | 'restart'
  text: string
}

/** What a stop or restart of one component, or of all, means for trading. Other actions have no consequence. */
function consequenceOf(action: ComponentAction, componentId?: string): Consequence | undefined {
  if (action !== 'stop' && action !== 'restart') return undefined
  const { other, ...texts }: Record<string, string> & { other: string } = copy.consequences[action]
  const stop = action === 'stop' ? COMPONENT_CONSEQUENCES.get(componentId ?? '')?.stop : undefined
  return { action, text: stop ?? texts[componentId ?? 'all'] ?? other }
}
