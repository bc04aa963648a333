import { actionWords } from '#ports/action-words.ts'
import type {
  ComponentAction,
  ComponentConfig,
  ComponentControls,
  ComponentEntry,
  LifecycleAction,
} from '#ports/controls.ts'
import { usePortActions } from '#ports/use-port-actions.ts'
import { announce } from '#state/announcement.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { consequenceOf } from './consequences.ts'
import { copy } from './copy.ts'

/** What can be done to the components. What takes a live one away is asked about first (COMP-6). */
export function useComponentActions(port: ComponentControls) {
  const actions = usePortActions('components')
  const confirm = useConfirm()
  const start = (action: ComponentAction, { id, name }: ComponentEntry, run: () => Promise<void>) =>
    actions.start({ control: `${action} ${id}`, run, ...announce(actionWords(port.kind, action, name)) })
  const startAll = (action: LifecycleAction) =>
    actions.start({
      control: `all ${action}`,
      run: () => port.actOnAll(action),
      ...announce(actionWords(port.kind, action, copy.all)),
    })
  const surely = (action: ComponentAction, component: ComponentEntry | undefined, go: () => void) => {
    const consequence = port.kind === 'live' ? consequenceOf(action, component?.id) : undefined
    if (consequence === undefined) go()
    else confirm.ask(copy.really[consequence.act](component?.name ?? copy.all), go, consequence.text)
  }
  return {
    isBusy: (action: ComponentAction, { id }: ComponentEntry) => actions.isBusy(`${action} ${id}`),
    isAllBusy: (action: LifecycleAction) => actions.isBusy(`all ${action}`),
    act: (action: ComponentAction, component: ComponentEntry) =>
      surely(action, component, () => start(action, component, () => port.act(action, component.id))),
    actOnAll: (action: LifecycleAction) => surely(action, undefined, () => startAll(action)),
    configure: (component: ComponentEntry, config: ComponentConfig) =>
      start('configure', component, async () => port.configure?.(component.id, config)),
    dialog: confirm.dialog,
  }
}
