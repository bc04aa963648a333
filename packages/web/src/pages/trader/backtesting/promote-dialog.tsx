import type { Backtest } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './promote-dialog.module.css'
import { describeRun } from './run-format.ts'

export interface PromoteDialogProps {
  run: Backtest
  opened: boolean
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (name: string) => void
}

/** BT-28 */
export function PromoteDialog({ opened, ...rest }: PromoteDialogProps) {
  return (
    <Dialog
      title={copy.promote.title(copy.name(rest.run.id))}
      size="small"
      opened={opened}
      busy={rest.busy}
      onClose={rest.onClose}
    >
      <PromoteForm {...rest} />
    </Dialog>
  )
}

function PromoteForm({ run, busy, failure, onClose, onSubmit }: Omit<PromoteDialogProps, 'opened'>) {
  const [name, setName] = useState(() => `${describeRun(run)} ${copy.name(run.id)}`)
  const { promote } = copy
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(name)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p className={classes.text}>{promote.text}</p>
      <TextField
        label={promote.name}
        data-autofocus
        value={name}
        error={failure?.fields.name}
        onChange={setName}
      />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === ''}>
          {promote.submit}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {promote.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}
