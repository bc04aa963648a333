import type { Backup } from '@binnacle/contract'
import { type ReactNode, useId } from 'react'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { canRestore, sizeText, toneOfBackup } from './backup-view.ts'
import classes from './backups.module.css'
import { copy } from './copy.ts'

export interface BackupsTableProps {
  backups: readonly Backup[]
  isRestoring: boolean
  /** Why no backup of this connection can be restored. */
  blockedReason: string | undefined
  onRestore: (backup: Backup) => void
}

export function BackupsTable({ backups, isRestoring, blockedReason, onRestore }: BackupsTableProps) {
  const reasonId = useId()
  // This list is not polled, so new columns at every render are cheap enough.
  const columns = columnsFor((backup) => (
    <Button
      busy={isRestoring}
      disabled={blockedReason !== undefined}
      aria-describedby={blockedReason && reasonId}
      onClick={() => onRestore(backup)}
    >
      {copy.restore}
    </Button>
  ))
  return (
    <>
      {blockedReason && (
        <p id={reasonId} className={classes.reason}>
          {blockedReason}
        </p>
      )}
      <DataTable label={copy.backups} columns={columns} rows={backups} rowKey={({ id }) => String(id)} />
    </>
  )
}

function columnsFor(restoreOf: (backup: Backup) => ReactNode): DataColumn<Backup>[] {
  return [
    { title: copy.columns.type, value: (row) => row.backup_type, cell: (row) => row.backup_type },
    { title: copy.columns.size, align: 'end', value: (row) => row.backup_size, cell: sizeText },
    {
      title: copy.columns.status,
      value: (row) => row.status,
      cell: (row) => <Badge tone={toneOfBackup(row)}>{row.status}</Badge>,
    },
    {
      title: copy.columns.created,
      value: (row) => row.created_at,
      cell: (row) => formatInstant(row.created_at),
    },
    {
      title: copy.columns.path,
      mono: true,
      value: (row) => row.backup_path,
      cell: (row) => <span className={classes.path}>{row.backup_path}</span>,
    },
    {
      title: copy.columns.actions,
      pinned: true,
      cell: (row) => canRestore(row) && restoreOf(row),
    },
  ]
}
