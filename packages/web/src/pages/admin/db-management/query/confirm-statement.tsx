import { type SubmitEvent, useState } from 'react'
import type { NameConfirmation } from '#data/databases/queries.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'

export interface ConfirmStatementProps {
  confirmation: NameConfirmation | undefined
  onConfirm: (typed: string) => void
  onClose: () => void
}

/** STORE-4: a destructive statement runs only after the table name is typed. */
export function ConfirmStatement({ confirmation, onConfirm, onClose }: ConfirmStatementProps) {
  return (
    <Dialog title={copy.confirm.title} size="small" opened={confirmation !== undefined} onClose={onClose}>
      {confirmation && <NameForm confirmation={confirmation} onConfirm={onConfirm} onClose={onClose} />}
    </Dialog>
  )
}

interface NameFormProps extends ConfirmStatementProps {
  confirmation: NameConfirmation
}

function NameForm({ confirmation, onConfirm, onClose }: NameFormProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed === confirmation.name) onConfirm(typed)
  }
  return (
    <form onSubmit={submit}>
      <p>{confirmation.sentence}</p>
      <TextField
        label={copy.confirm.name}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={setTyped}
      />
      <DialogActions>
        <Button type="submit" kind="danger" disabled={typed !== confirmation.name}>
          {copy.confirm.submit}
        </Button>
        <Button onClick={onClose}>{copy.confirm.cancel}</Button>
      </DialogActions>
    </form>
  )
}
