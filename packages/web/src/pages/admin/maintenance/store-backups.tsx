import type { Backup } from '@binnacle/contract'
import { formatBytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { copy } from './copy.ts'
import classes from './maintenance-page.module.css'

export interface StoreBackupsProps {
  backups: readonly Backup[]
  isRestoring: boolean
  onRestore: (backup: Backup) => void
}

const MAX_LISTED = 5

/** MAINT-22: the newest backups of the store, which can be restored here. */
export function StoreBackups({ backups, isRestoring, onRestore }: StoreBackupsProps) {
  const completed = backups.filter(({ status }) => status === 'completed').slice(0, MAX_LISTED)
  if (completed.length === 0) return null
  return (
    <ul className={classes.backups} aria-label={copy.backups}>
      {completed.map((backup) => (
        <li key={backup.id}>
          <span>
            {formatInstant(backup.created_at)}, {formatBytes(backup.backup_size ?? 0)}
          </span>
          <Button
            busy={isRestoring}
            aria-label={copy.restoreNamed(String(backup.id))}
            onClick={() => onRestore(backup)}
          >
            {copy.restore}
          </Button>
        </li>
      ))}
    </ul>
  )
}
