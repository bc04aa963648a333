import type { Backup } from '@binnacle/contract'
import { Dialog } from '#ui/control/dialog.tsx'
import { TypedNameForm } from '#ui/control/typed-name-form.tsx'
import { describeBackup } from './backup-view.ts'
import { copy } from './copy.ts'

export interface RestoreElsewhereProps {
  backup: Backup | undefined
  onConfirm: (backup: Backup, target: string) => void
  onClose: () => void
}

const WORDS = { label: copy.elsewhere.label, action: copy.restore, dismiss: copy.elsewhere.cancel }

/** BACKUP-17: a backup is restored over another database only after that database's name is typed. */
export function RestoreElsewhere({ backup, onConfirm, onClose }: RestoreElsewhereProps) {
  const replaced = backup?.confirm_target ?? ''
  return (
    <Dialog title={copy.elsewhere.title} size="small" opened={backup !== undefined} onClose={onClose}>
      {backup && (
        <TypedNameForm
          name={replaced}
          words={WORDS}
          onConfirm={(typed) => {
            onConfirm(backup, typed)
            onClose()
          }}
          onClose={onClose}
        >
          <p>{copy.elsewhere.origin(backup.target, backup.connection_name)}</p>
          <p>{copy.elsewhere.consequence(replaced)}</p>
          <p>{describeBackup(backup)}</p>
        </TypedNameForm>
      )}
    </Dialog>
  )
}
