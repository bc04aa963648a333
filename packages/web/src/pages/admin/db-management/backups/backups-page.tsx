import type { Backup, Connection } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import {
  backupQueries,
  useCreateBackup,
  useIsBackingUp,
  useIsRestoring,
  useRestoreBackup,
} from '#data/databases/backups.ts'
import { problemText } from '#data/failure.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { createdText, describeBackup, whyNotRestored } from './backup-view.ts'
import classes from './backups-page.module.css'
import { BackupsTable } from './backups-table.tsx'
import { copy } from './copy.ts'

export interface BackupsPageProps {
  connection: Connection
}

export function BackupsPage({ connection }: BackupsPageProps) {
  const { id: connectionId } = connection
  const confirm = useConfirm()
  const create = useCreateBackup({
    onFailure: toastFailure(copy.createFailed),
    onDone: (_, { backup_size: bytes }) => toast('success', createdText(bytes)),
  })
  const restore = useRestoreBackup({
    onFailure: toastFailure(copy.restoreFailed),
    onDone: () => toast('success', copy.restored),
  })
  const startBackup = () => {
    if (create(connectionId)) toast('info', copy.creating)
  }
  const askRestore = (backup: Backup) =>
    confirm.ask(
      copy.confirmRestore,
      () => restore({ connectionId, backupId: backup.id }),
      describeBackup(backup),
    )
  return (
    <div className={classes.page}>
      <Row align="end">
        <Button kind="primary" busy={useIsBackingUp(connectionId)} onClick={startBackup}>
          {copy.create}
        </Button>
      </Row>
      <Backups connection={connection} onRestore={askRestore} />
      {confirm.dialog}
    </div>
  )
}

interface BackupsProps extends BackupsPageProps {
  onRestore: (backup: Backup) => void
}

const onFailure = toastFailure(copy.failed)

function Backups({ connection, onRestore }: BackupsProps) {
  const { data: backups, error, isPending } = useQuery(backupQueries.list(connection.id, { onFailure }))
  const isRestoring = useIsRestoring(connection.id)
  if (isPending) return <Loading bare text={copy.loading} />
  if (backups?.length === 0) return <EmptyState title={copy.empty} />
  if (!backups)
    return (
      <Notice tone="bad" title={copy.lost}>
        {problemText(error)}
      </Notice>
    )
  return (
    <BackupsTable
      backups={backups}
      isRestoring={isRestoring}
      whyNot={whyNotRestored(connection)}
      onRestore={onRestore}
    />
  )
}
