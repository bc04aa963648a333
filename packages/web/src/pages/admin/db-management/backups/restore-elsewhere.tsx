import type { Backup } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { describeBackup } from './backup-view.ts'
import { copy } from './copy.ts'

export interface RestoreElsewhereProps {
  backup: Backup | undefined
  onConfirm: (backup: Backup, target: string) => void
  onClose: () => void
}

/** BACKUP-17: a backup is restored over another database only after that database's name is typed. */
export function RestoreElsewhere({ backup, onConfirm, onClose }: RestoreElsewhereProps) {
  return (
    <Dialog title={copy.elsewhere.title} size="small" opened={backup !== undefined} onClose={onClose}>
      {backup && <TargetForm backup={backup} onConfirm={onConfirm} onClose={onClose} />}
    </Dialog>
  )
}

interface TargetFormProps extends RestoreElsewhereProps {
  backup: Backup
}

function TargetForm({ backup, onConfirm, onClose }: TargetFormProps) {
  const [typed, setTyped] = useState('')
  const { target, connection_name: connection, confirm_target: replaced = '' } = backup
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed !== replaced) return
    onConfirm(backup, typed)
    onClose()
  }
  return (
    <form onSubmit={submit}>
      <p>{copy.elsewhere.origin(target, connection)}</p>
      <p>{copy.elsewhere.consequence(replaced)}</p>
      <p>{describeBackup(backup)}</p>
      <TextField
        label={copy.elsewhere.label}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={setTyped}
      />
      <DialogActions>
        <Button type="submit" kind="danger" disabled={typed !== replaced}>
          {copy.restore}
        </Button>
        <Button onClick={onClose}>{copy.elsewhere.cancel}</Button>
      </DialogActions>
    </form>
  )
}
