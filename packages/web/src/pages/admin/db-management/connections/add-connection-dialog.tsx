import { CONNECTION_TYPES, type ConnectionTest, type NewConnection } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { PrivilegedRoleField, TargetFields, WritableField } from './connection-fields.tsx'
import { ConnectionVerdict } from './connection-verdict.tsx'
import classes from './connections.module.css'
import type { FieldErrors } from './field-errors.ts'

export interface AddConnectionDialogProps extends ConnectionFormProps {
  isOpen: boolean
}

export function AddConnectionDialog({ isOpen, ...form }: AddConnectionDialogProps) {
  const isSending = form.isBusy || form.trial?.isBusy === true
  return (
    <Dialog title={copy.add.title} opened={isOpen} busy={isSending} onClose={form.onClose}>
      <ConnectionForm {...form} />
    </Dialog>
  )
}

export interface ConnectionTrial {
  isBusy: boolean
  run: (connection: NewConnection) => void
  /** The result of the last test and what was tested. */
  outcome: { tested: NewConnection; result: ConnectionTest } | undefined
}

interface ConnectionFormProps {
  isBusy: boolean
  errors: FieldErrors
  /** Undefined if the backend cannot test a connection before it is added. */
  trial: ConnectionTrial | undefined
  onSubmit: (connection: NewConnection) => void
  onClose: () => void
}

const types = CONNECTION_TYPES.map((type) => ({ value: type, label: type }))

interface ConnectionDraft {
  name: string
  type: NewConnection['type']
  databaseName: string
  connectionString: string
  isWritable: boolean
  acceptsPrivilegedRole: boolean
}

const EMPTY_DRAFT: ConnectionDraft = {
  name: '',
  type: 'sqlite',
  databaseName: '',
  connectionString: '',
  isWritable: false,
  acceptsPrivilegedRole: false,
}

/** Mounted only while the dialog is open, so it always starts empty. */
function ConnectionForm({ isBusy, errors, trial, onSubmit, onClose }: ConnectionFormProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const update = (part: Partial<ConnectionDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(toNewConnection(draft))
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
      <SelectField
        label={copy.add.type}
        value={draft.type}
        options={types}
        onChange={(type) => update({ type })}
      />
      <TargetFields
        type={draft.type}
        draft={draft}
        hint={copy.add.connectionHint[draft.type]}
        errors={errors}
        onChange={update}
      />
      <WritableField
        type={draft.type}
        checked={draft.isWritable}
        onChange={(isWritable) => update({ isWritable })}
      />
      {trial && (
        <PrivilegedRoleField
          type={draft.type}
          isWritable={draft.isWritable}
          checked={draft.acceptsPrivilegedRole}
          onChange={(acceptsPrivilegedRole) => update({ acceptsPrivilegedRole })}
        />
      )}
      {isTested(trial, draft) && <ConnectionVerdict result={trial.outcome.result} />}
      <DialogActions>
        <Button type="submit" kind="primary" busy={isBusy}>
          {copy.add.submit}
        </Button>
        {trial && (
          <Button busy={trial.isBusy} onClick={() => trial.run(toNewConnection(draft))}>
            {copy.test.open}
          </Button>
        )}
        <Button disabled={isBusy || trial?.isBusy === true} onClick={onClose}>
          {copy.add.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

interface TestedTrial extends ConnectionTrial {
  outcome: NonNullable<ConnectionTrial['outcome']>
}

/** A result counts only for what was tested: after a change of the form it is hidden. */
function isTested(trial: ConnectionTrial | undefined, draft: ConnectionDraft): trial is TestedTrial {
  const tested = trial?.outcome?.tested
  return tested !== undefined && JSON.stringify(tested) === JSON.stringify(toNewConnection(draft))
}

/** DB-5: the specification defines four fields, so a switch is sent only if it is on. */
function toNewConnection(draft: ConnectionDraft): NewConnection {
  return {
    name: draft.name,
    type: draft.type,
    database_name: draft.databaseName,
    connection_string: draft.connectionString,
    ...(draft.isWritable && draft.type !== 'parquet' && { writable: true }),
    ...(draft.acceptsPrivilegedRole && draft.type === 'postgresql' && { accept_privileged_role: true }),
  }
}
