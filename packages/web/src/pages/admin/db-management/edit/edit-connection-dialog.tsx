import type { Connection, ConnectionEdit } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import classes from '#pages/admin/db-management/add-connection-dialog.module.css'
import { PlaceFields, WritableField } from '#pages/admin/db-management/connection-fields.tsx'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { draftOf, type EditDraft, editOf } from './edit-draft.ts'

export interface EditConnectionDialogProps extends EditFormProps {
  isOpen: boolean
}

export function EditConnectionDialog({ isOpen, ...form }: EditConnectionDialogProps) {
  return (
    <Dialog title={copy.edit.title} opened={isOpen} onClose={form.onClose}>
      <EditForm {...form} />
    </Dialog>
  )
}

interface EditFormProps {
  connection: Connection
  isBusy: boolean
  onSubmit: (edit: ConnectionEdit) => void
  onClose: () => void
}

/** Lives as long as the dialog is open, so that it always begins with what is stored. */
function EditForm({ connection, isBusy, onSubmit, onClose }: EditFormProps) {
  const [draft, setDraft] = useState(draftOf(connection))
  const put = (part: Partial<EditDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(editOf(draft))
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField label={copy.add.name} value={draft.name} data-autofocus onChange={(name) => put({ name })} />
      <PlaceFields draft={draft} hint={copy.edit.keepHint} onPut={put} />
      <TextField
        label={copy.edit.timeLimit}
        type="number"
        value={draft.timeLimit}
        onChange={(timeLimit) => put({ timeLimit })}
      />
      <WritableField
        type={connection.type}
        checked={draft.isWritable}
        onChange={(isWritable) => put({ isWritable })}
      />
      <SwitchField
        label={copy.edit.active}
        checked={draft.isActive}
        onChange={(isActive) => put({ isActive })}
      />
      <DialogActions>
        <Button onClick={onClose}>{copy.add.cancel}</Button>
        <Button type="submit" kind="primary" busy={isBusy}>
          {copy.edit.submit}
        </Button>
      </DialogActions>
    </form>
  )
}
