import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { offers } from '#data/capabilities.ts'
import { componentDetailQueries } from '#data/component-details.ts'
import { isRunningStatus } from '#data/engine.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { paths } from '#paths.ts'
import { choosePorts } from '#ports/choose-ports.ts'
import type { ComponentAction, ComponentConfig, ComponentControls, ComponentEntry } from '#ports/controls.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/use-port.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortBadge } from '#ui/ports/port-badge.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { BulkReport } from './bulk-report.tsx'
import { ComponentDetails } from './component-details.tsx'
import { ComponentList } from './component-list.tsx'
import { ConfigDialog } from './config-dialog.tsx'
import { copy } from './copy.ts'
import { useComponentActions } from './use-component-actions.tsx'

const back = { to: paths.admin, label: copy.back }
const BULK_ACTIONS = ['start', 'stop', 'restart'] as const

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  const port = choosePorts(backend).components
  if (isPort(port)) load(portQueries.components(port, { onFailure: logOnly }))
  if (offers(backend, 'components')) load(componentDetailQueries.read())
}

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
  const actions = useComponentActions(port)
  const [configured, setConfigured] = useState<ComponentEntry>()
  const [refusal, setRefusal] = useState<string>()
  const act = (action: ComponentAction, component: ComponentEntry) => {
    if (action === 'configure' && port.configure) {
      setRefusal(undefined)
      setConfigured(component)
    } else actions.act(action, component)
  }
  const save = (component: ComponentEntry, config: ComponentConfig) => {
    setRefusal(undefined)
    actions.configure(component, config, { done: () => setConfigured(undefined), refused: setRefusal })
  }
  return (
    <Screen
      title={copy.title}
      aside={
        <>
          <PortBadge kind={port.kind} />
          {port.kind === 'live' && <RunningCount components={components.data} />}
        </>
      }
      back={back}
      actions={
        <PortControls kind={port.kind}>
          {BULK_ACTIONS.map((action) => (
            <Button key={action} busy={actions.isAllBusy(action)} onClick={() => actions.actOnAll(action)}>
              {copy.bulk[action]}
            </Button>
          ))}
        </PortControls>
      }
    >
      {actions.report && <BulkReport {...actions.report} />}
      <Loaded
        load={components}
        loading={copy.loading}
        failed={copy.failed}
        reason={problemText(components.error)}
      >
        {(entries) => (
          <PortControls kind={port.kind}>
            {port.kind === 'live' ? (
              <ComponentDetails
                components={entries}
                isBusy={actions.isBusy}
                onAct={act}
                onRevert={actions.configure}
              />
            ) : (
              <ComponentList components={entries} isBusy={actions.isBusy} onAct={act} />
            )}
          </PortControls>
        )}
      </Loaded>
      {configured && (
        <ConfigDialog
          component={configured}
          busy={actions.isBusy('configure', configured)}
          refusal={refusal}
          onClose={() => setConfigured(undefined)}
          onSave={(config) => save(configured, config)}
        />
      )}
      {actions.dialog}
    </Screen>
  )
}

interface RunningCountProps {
  components: readonly ComponentEntry[] | undefined
}

function RunningCount({ components }: RunningCountProps) {
  if (components === undefined) return null
  const running = components.filter(({ status }) => isRunningStatus(status)).length
  return (
    <Badge tone={running === components.length ? 'good' : 'bad'} dot>
      {copy.running(running, components.length)}
    </Badge>
  )
}
