import type { Connection } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  connectionQueries,
  useAddConnection,
  useIsAddingConnection,
  useReloadDatabases,
} from '#data/databases/connections.ts'
import { problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Split } from '#ui/frame/split.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { ConnectionsList } from './connections-list.tsx'
import { copy } from './copy.ts'
import { atConnection } from './place.ts'
import { usePlace } from './use-place.ts'

/** Dialogs weigh more than the rest of the screen, so this one comes after it. */
const AddConnectionDialog = lazy(async () => ({
  default: (await import('./add-connection-dialog.tsx')).AddConnectionDialog,
}))

const loadConnections = connectionQueries.list({ onFailure: toastFailure(copy.connectionsFailed) })

export function DbManagementPage() {
  const connections = useQuery(loadConnections)
  const reload = useReloadDatabases()
  const [place, go] = usePlace()
  const selected = connections.data?.find(({ id }) => String(id) === place.connection)
  const refresh = (
    <Button busy={connections.isFetching} onClick={reload}>
      {copy.refresh}
    </Button>
  )
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }} actions={refresh}>
      <Split
        side={
          <Card title={copy.connections} actions={<AddConnection />}>
            <Connections selected={selected} onSelect={({ id }) => go(atConnection(String(id)))} />
          </Card>
        }
      >
        {selected ? (
          <ConnectionPage key={String(selected.id)} connection={selected} place={place} onGo={go} />
        ) : (
          <EmptyState title={copy.select} />
        )}
      </Split>
    </Screen>
  )
}

interface ConnectionsProps {
  selected: Connection | undefined
  onSelect: (connection: Connection) => void
}

function Connections({ selected, onSelect }: ConnectionsProps) {
  const { data: connections, error, isPending } = useQuery(loadConnections)
  if (isPending) return <Loading bare text={copy.loadingConnections} />
  if (connections?.length === 0) return <EmptyState title={copy.noConnections} />
  if (!connections)
    return (
      <Notice tone="bad" title={copy.connectionsLost}>
        {problemText(error)}
      </Notice>
    )
  return <ConnectionsList connections={connections} selectedId={selected?.id} onSelect={onSelect} />
}

function AddConnection() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const add = useAddConnection({
    onFailure: toastFailure(copy.add.failed),
    onDone: () => {
      toast('success', copy.add.done)
      close()
    },
  })
  const isBusy = useIsAddingConnection()
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        {copy.add.open}
      </Button>
      <Suspense fallback={null}>
        <AddConnectionDialog isOpen={isOpen} isBusy={isBusy} onSubmit={add} onClose={close} />
      </Suspense>
    </>
  )
}
