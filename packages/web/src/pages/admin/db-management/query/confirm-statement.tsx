import { type SubmitEvent, useState } from 'react'
import type { NameWanted } from '#data/databases/queries.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'

export interface ConfirmStatementProps {
  wanted: NameWanted | undefined
  onConfirm: (typed: string) => void
  onClose: () => void
}

/** STORE-4: what destroys is executed only with the name of its table typed again. */
export function ConfirmStatement({ wanted, onConfirm, onClose }: ConfirmStatementProps) {
  return (
    <Dialog title={copy.confirm.title} size="small" opened={wanted !== undefined} onClose={onClose}>
      {wanted && <NameForm wanted={wanted} onConfirm={onConfirm} onClose={onClose} />}
    </Dialog>
  )
}

interface NameFormProps extends ConfirmStatementProps {
  wanted: NameWanted
}

function NameForm({ wanted, onConfirm, onClose }: NameFormProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (typed === wanted.name) onConfirm(typed)
  }
  return (
    <form onSubmit={submit}>
      <p>{wanted.sentence}</p>
      <TextField
        label={copy.confirm.name}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={setTyped}
      />
      <DialogActions>
        <Button type="submit" kind="danger" disabled={typed !== wanted.name}>
          {copy.confirm.submit}
        </Button>
        <Button onClick={onClose}>{copy.confirm.cancel}</Button>
      </DialogActions>
    </form>
  )
}
