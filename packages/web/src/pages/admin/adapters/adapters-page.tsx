import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import type { AdapterControls } from '#ports/controls.ts'
import { usePortCommand } from '#ports/port-command.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/use-port.ts'
import { createActionToasts } from '#state/action-toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortBadge } from '#ui/ports/port-badge.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type AdapterCommand, bulkCommands, commandsFor } from './adapter-commands.ts'
import { AdapterList } from './adapter-list.tsx'
import { copy } from './copy.ts'

const LiveAdapters = lazyPart(async () => (await import('./live-adapters.tsx')).LiveAdapters)

const back = { to: paths.admin, label: copy.back }
const BULK_ACTIONS = ['connectAll', 'disconnectAll', 'testAll'] as const

export function AdaptersPage() {
  const port = usePort('adapters')
  if (port.kind === 'live') {
    return (
      <Suspense fallback={<Loading text={copy.loading} />}>
        <LiveAdapters />
      </Suspense>
    )
  }
  if (isPort(port)) return <ControlledAdapters port={port} />
  return (
    <Screen title={copy.title} back={back}>
      <NoControls things={copy.things} why={port.kind} />
    </Screen>
  )
}

interface ControlledAdaptersProps {
  port: AdapterControls
}

function ControlledAdapters({ port }: ControlledAdaptersProps) {
  const adapters = useQuery(portQueries.adapters(port, { onFailure: logOnly }))
  const command = usePortCommand('adapters')
  const start = ({ control, run, messages }: AdapterCommand) =>
    command.run({ control, run, ...createActionToasts(messages) })
  const bulk = bulkCommands(port)
  return (
    <Screen
      title={copy.title}
      aside={<PortBadge kind={port.kind} />}
      back={back}
      actions={
        <PortControls kind={port.kind}>
          {BULK_ACTIONS.map((name) => (
            <Button
              key={name}
              busy={command.pendingSubjects.has(bulk[name].control)}
              onClick={() => start(bulk[name])}
            >
              {copy[name]}
            </Button>
          ))}
        </PortControls>
      }
    >
      <Loaded
        load={adapters}
        loading={copy.loading}
        failed={copy.failed}
        reason={problemText(adapters.error)}
      >
        {(entries) => (
          <PortControls kind={port.kind}>
            <AdapterList
              adapters={entries}
              isBusy={(action, adapter) =>
                command.pendingSubjects.has(commandsFor(port, adapter)[action].control)
              }
              onAct={(action, adapter) => start(commandsFor(port, adapter)[action])}
            />
          </PortControls>
        )}
      </Loaded>
    </Screen>
  )
}
