import { CONNECTION_TYPES, type NewConnection } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import classes from './add-connection-dialog.module.css'
import { type ConnectionDraft, EMPTY_DRAFT, newConnectionOf } from './connection-draft.ts'
import { PlaceFields, WritableField } from './connection-fields.tsx'
import { copy } from './copy.ts'

export interface AddConnectionDialogProps extends ConnectionFormProps {
  isOpen: boolean
}

export function AddConnectionDialog({ isOpen, ...form }: AddConnectionDialogProps) {
  return (
    <Dialog title={copy.add.title} opened={isOpen} onClose={form.onClose}>
      <ConnectionForm {...form} />
    </Dialog>
  )
}

interface ConnectionFormProps {
  isBusy: boolean
  onSubmit: (connection: NewConnection) => void
  onClose: () => void
}

const types = CONNECTION_TYPES.map((type) => ({ value: type, label: type }))

/** Lives as long as the dialog is open, so that it always begins empty. */
function ConnectionForm({ isBusy, onSubmit, onClose }: ConnectionFormProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const put = (part: Partial<ConnectionDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(newConnectionOf(draft))
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField label={copy.add.name} value={draft.name} data-autofocus onChange={(name) => put({ name })} />
      <SelectField
        label={copy.add.type}
        value={draft.type}
        options={types}
        onChange={(type) => put({ type })}
      />
      <PlaceFields draft={draft} hint={copy.add.connectionHint[draft.type]} onPut={put} />
      <WritableField
        type={draft.type}
        checked={draft.isWritable}
        onChange={(isWritable) => put({ isWritable })}
      />
      <DialogActions>
        <Button onClick={onClose}>{copy.add.cancel}</Button>
        <Button type="submit" kind="primary" busy={isBusy}>
          {copy.add.submit}
        </Button>
      </DialogActions>
    </form>
  )
}
