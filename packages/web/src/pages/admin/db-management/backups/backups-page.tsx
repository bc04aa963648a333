import type { Backup, Connection } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { backupQueries, useCreateBackup, useIsRestoring, useRestoreBackup } from '#data/databases/backups.ts'
import { problemText } from '#data/failure.ts'
import { useJobsOf } from '#data/jobs.ts'
import { notify, toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { BackupJobs } from './backup-jobs.tsx'
import { createdText, describeBackup, restoreBlockedReason } from './backup-view.ts'
import classes from './backups.module.css'
import { BackupsTable } from './backups-table.tsx'
import { copy } from './copy.ts'
import { RemovedBackups } from './removed-backups.tsx'
import { RestoreElsewhere } from './restore-elsewhere.tsx'

export interface BackupsPageProps {
  connection: Connection
}

export function BackupsPage({ connection }: BackupsPageProps) {
  const { id: connectionId } = connection
  const confirm = useConfirm()
  const [elsewhere, setElsewhere] = useState<Backup>()
  const create = useCreateBackup({
    onFailure: toastFailure(copy.createFailed, copy.createUnknown),
    onStart: () => toast('info', copy.creating),
    onDone: ({ backup_size: bytes, warnings = [] }) => {
      toast('success', createdText(bytes))
      for (const warning of warnings) notify('warning', warning, 0)
    },
  })
  const restore = useRestoreBackup({
    onFailure: toastFailure(copy.restoreFailed, copy.restoreUnknown),
    onDone: () => toast('success', copy.restored),
  })
  const isCreating = create.pendingSubjects.has(String(connectionId))
  const isRestoring = useIsRestoring(connectionId)
  const jobs = useJobsOf([`backup.${connectionId}`, `restore.${connectionId}`], isCreating || isRestoring)
  const askRestore = (backup: Backup) => {
    if (backup.confirm_target !== undefined) return setElsewhere(backup)
    confirm.ask({
      question: copy.confirmRestore,
      detail: describeBackup(backup),
      action: copy.restore,
      onConfirm: () => restore.run({ connectionId, backupId: backup.id }),
    })
  }
  return (
    <div className={classes.page}>
      <Row align="end">
        <Button kind="primary" busy={isCreating} onClick={() => create.run(connectionId)}>
          {copy.create}
        </Button>
      </Row>
      <BackupJobs jobs={jobs} />
      <Backups connection={connection} onRestore={askRestore} />
      {connection.can && <RemovedBackups />}
      {confirm.dialog}
      <RestoreElsewhere
        backup={elsewhere}
        onConfirm={(backup, confirmTarget) =>
          restore.run({ connectionId, backupId: backup.id, confirmTarget })
        }
        onClose={() => setElsewhere(undefined)}
      />
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
      blockedReason={restoreBlockedReason(connection)}
      onRestore={onRestore}
    />
  )
}
