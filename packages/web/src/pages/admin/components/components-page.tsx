import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { actionWords } from '#ports/action-words.ts'
import type {
  ComponentAction,
  ComponentConfig,
  ComponentControls,
  ComponentEntry,
  LifecycleAction,
} from '#ports/controls.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/ports-context.ts'
import { usePortActions } from '#ports/use-port-actions.ts'
import { announce } from '#state/announcement.ts'
import { Button } from '#ui/control/button.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortMark } from '#ui/ports/port-mark.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { ComponentList } from './component-list.tsx'
import { ConfigDialog } from './config-dialog.tsx'
import { copy } from './copy.ts'

const back = { to: paths.admin, label: copy.back }
const BULK_ACTIONS = ['start', 'stop', 'restart'] as const

export function ComponentsPage() {
  const port = usePort('components')
  if (isPort(port)) return <ControlledComponents port={port} />
  return (
    <Screen title={copy.title} back={back}>
      <NoControls things={copy.things} why={port.kind} />
    </Screen>
  )
}

interface ControlledComponentsProps {
  port: ComponentControls
}

function ControlledComponents({ port }: ControlledComponentsProps) {
  const components = useQuery(portQueries.components(port, { onFailure: logOnly }))
  const actions = usePortActions('components')
  const [configured, setConfigured] = useState<ComponentEntry>()
  const start = (action: ComponentAction, { id, name }: ComponentEntry, run: () => Promise<void>) =>
    actions.start({ control: `${action} ${id}`, run, ...announce(actionWords(port.kind, action, name)) })
  const act = (action: ComponentAction, component: ComponentEntry) => {
    if (action === 'configure' && port.configure) setConfigured(component)
    else start(action, component, () => port.act(action, component.id))
  }
  const configure = (component: ComponentEntry, config: ComponentConfig) => {
    setConfigured(undefined)
    start('configure', component, async () => port.configure?.(component.id, config))
  }
  const actOnAll = (action: LifecycleAction) =>
    actions.start({
      control: `all ${action}`,
      run: () => port.actOnAll(action),
      ...announce(actionWords(port.kind, action, copy.all)),
    })
  return (
    <Screen
      title={copy.title}
      aside={<PortMark kind={port.kind} />}
      back={back}
      actions={BULK_ACTIONS.map((action) => (
        <Button key={action} busy={actions.isBusy(`all ${action}`)} onClick={() => actOnAll(action)}>
          {copy.bulk[action]}
        </Button>
      ))}
    >
      <Loaded
        load={components}
        loading={copy.loading}
        failed={copy.failed}
        reason={problemText(components.error)}
      >
        {(entries) => (
          <ComponentList
            components={entries}
            isBusy={(action, { id }) => actions.isBusy(`${action} ${id}`)}
            onAct={act}
          />
        )}
      </Loaded>
      {configured && (
        <ConfigDialog
          component={configured}
          onClose={() => setConfigured(undefined)}
          onSave={(config) => configure(configured, config)}
        />
      )}
    </Screen>
  )
}
