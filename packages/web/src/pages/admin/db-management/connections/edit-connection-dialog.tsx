import type { Connection, ConnectionEdit } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { PrivilegedRoleField, TargetFields, WritableField } from './connection-fields.tsx'
import classes from './connections.module.css'
import type { FieldErrors } from './field-errors.ts'

export interface EditConnectionDialogProps extends EditFormProps {
  isOpen: boolean
}

export function EditConnectionDialog({ isOpen, ...form }: EditConnectionDialogProps) {
  return (
    <Dialog title={copy.edit.title} opened={isOpen} busy={form.isBusy} onClose={form.onClose}>
      <EditForm {...form} />
    </Dialog>
  )
}

interface EditFormProps {
  connection: Connection
  isBusy: boolean
  errors: FieldErrors
  onSubmit: (edit: ConnectionEdit) => void
  onClose: () => void
}

/** Mounted only while the dialog is open, so it always starts with the stored values. */
function EditForm({ connection, isBusy, errors, onSubmit, onClose }: EditFormProps) {
  const [draft, setDraft] = useState(createDraft(connection))
  const update = (part: Partial<EditDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(toEdit(draft, connection))
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField
        label={copy.add.name}
        value={draft.name}
        error={errors.name}
        data-autofocus
        onChange={(name) => update({ name })}
      />
      <TargetFields
        type={connection.type}
        draft={draft}
        hint={copy.edit.keepHint}
        errors={errors}
        onChange={update}
      />
      <TextField
        label={copy.edit.timeLimit}
        type="number"
        value={draft.timeLimit}
        error={errors.time_limit}
        onChange={(timeLimit) => update({ timeLimit })}
      />
      <WritableField
        type={connection.type}
        checked={draft.isWritable}
        onChange={(isWritable) => update({ isWritable })}
      />
      <PrivilegedRoleField
        type={connection.type}
        isWritable={draft.isWritable}
        checked={draft.acceptsPrivilegedRole}
        onChange={(acceptsPrivilegedRole) => update({ acceptsPrivilegedRole })}
      />
      <SwitchField
        label={copy.edit.active}
        checked={draft.isActive}
        onChange={(isActive) => update({ isActive })}
      />
      <DialogActions>
        <Button type="submit" kind="primary" busy={isBusy}>
          {copy.edit.submit}
        </Button>
        <Button disabled={isBusy} onClick={onClose}>
          {copy.add.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

interface EditDraft {
  name: string
  databaseName: string
  /** The stored string is never shown; empty keeps it. */
  connectionString: string
  timeLimit: string
  isWritable: boolean
  acceptsPrivilegedRole: boolean
  isActive: boolean
}

function createDraft(connection: Connection): EditDraft {
  return {
    name: connection.name,
    databaseName: connection.database_name ?? '',
    connectionString: '',
    timeLimit: String(connection.time_limit ?? ''),
    isWritable: connection.writable ?? false,
    acceptsPrivilegedRole: connection.accept_privileged_role ?? false,
    isActive: connection.is_active === 1,
  }
}

function toEdit(draft: EditDraft, { type }: Connection): ConnectionEdit {
  return {
    name: draft.name,
    database_name: draft.databaseName,
    writable: draft.isWritable,
    ...(type === 'postgresql' && { accept_privileged_role: draft.acceptsPrivilegedRole }),
    is_active: draft.isActive ? 1 : 0,
    ...(draft.connectionString !== '' && { connection_string: draft.connectionString }),
    ...(draft.timeLimit !== '' && { time_limit: Number(draft.timeLimit) }),
  }
}
