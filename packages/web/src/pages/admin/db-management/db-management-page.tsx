import type { Connection } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsLive } from '#data/capabilities.ts'
import { useTryConnection } from '#data/databases/connection-changes.ts'
import { connectionQueries, useAddConnection, useReloadDatabases } from '#data/databases/connections.ts'
import { problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import type { ConnectionTrial } from '#pages/admin/db-management/connections/add-connection-dialog.tsx'
import { ConnectionsList } from '#pages/admin/db-management/connections/connections-list.tsx'
import { fieldErrors } from '#pages/admin/db-management/connections/field-errors.ts'
import { paths } from '#paths.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Split } from '#ui/frame/split.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ConnectionPage } from './connection-page.tsx'
import { copy } from './copy.ts'
import { selectConnection, useDbSelection } from './selection.ts'

/** Lazy, because the dialog code is larger than the rest of the screen. */
const AddConnectionDialog = lazyPart(
  async () =>
    (await import('#pages/admin/db-management/connections/add-connection-dialog.tsx')).AddConnectionDialog,
)

const loadConnections = connectionQueries.list({ onFailure: toastFailure(copy.connectionsFailed) })

/** SHELL-111 */
export const firstLoads: FirstLoads = (load) => load(loadConnections)

export function DbManagementPage() {
  const connections = useQuery(loadConnections)
  const reload = useReloadDatabases()
  const [selection, navigate] = useDbSelection()
  const selected = connections.data?.find(({ id }) => String(id) === selection.connection)
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
            <Connections selected={selected} onSelect={({ id }) => navigate(selectConnection(String(id)))} />
          </Card>
        }
      >
        {selected ? (
          <ConnectionPage
            key={String(selected.id)}
            connection={selected}
            selection={selection}
            onNavigate={navigate}
          />
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

const addFailed = toastFailure(copy.add.failed, copy.add.unknown)
const testFailed = toastFailure(copy.test.failed, copy.test.unknown)

function AddConnection() {
  const [isOpen, setIsOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const [outcome, setOutcome] = useState<ConnectionTrial['outcome']>()
  const isLive = useIsLive()
  const close = () => {
    setIsOpen(false)
    setError(undefined)
    setOutcome(undefined)
  }
  const start = () => setError(undefined)
  const add = useAddConnection({
    onStart: start,
    onFailure: (failure, request, context) => {
      setError(failure)
      return addFailed(failure, request, context)
    },
    onDone: () => {
      toast('success', copy.add.done)
      close()
    },
  })
  const trial = useTryConnection({
    onStart: start,
    onFailure: (failure, request, context) => {
      setError(failure)
      return testFailed(failure, request, context)
    },
    onDone: (result, tested) => setOutcome({ tested, result }),
  })
  return (
    <>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        {copy.add.open}
      </Button>
      <LazyBoundary resetKey={isOpen} onClose={isOpen ? close : undefined}>
        <AddConnectionDialog
          isOpen={isOpen}
          isBusy={add.isPending}
          errors={fieldErrors(error)}
          trial={isLive ? { isBusy: trial.isPending, run: trial.run, outcome } : undefined}
          onSubmit={add.run}
          onClose={close}
        />
      </LazyBoundary>
    </>
  )
}
