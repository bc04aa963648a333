import type { Connection } from '@binnacle/contract'
import { useState } from 'react'
import type { Command } from '#data/command.ts'
import {
  useEditConnection,
  useRemoveConnection,
  useTestConnection,
} from '#data/databases/connection-changes.ts'
import { copy } from '#pages/admin/db-management/copy.ts'
import { notify, toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { EditConnectionDialog } from './edit-connection-dialog.tsx'
import { fieldErrors } from './field-errors.ts'

export interface ConnectionActionsProps {
  connection: Connection
}

/** Test, edit and delete: calls that the specification does not define. */
export function ConnectionActions({ connection }: ConnectionActionsProps) {
  const { id } = connection
  const [isEditing, setIsEditing] = useState(false)
  const confirm = useConfirm()
  const test = useTestConnection({
    onFailure: toastFailure(copy.test.failed, copy.test.unknown),
    onDone: (result) => {
      if (!result.success) return toast('error', copy.test.refused(result.error, result.step))
      toast('success', copy.test.succeeded(result.version, result.response_time))
      // DB-33: a warning stays until it is closed.
      for (const warning of result.warnings ?? []) notify('warning', warning, 0)
    },
  })
  const [editError, setEditError] = useState<unknown>()
  const editFailed = toastFailure(copy.edit.failed, copy.edit.unknown)
  const edit = useEditConnection({
    onStart: () => setEditError(undefined),
    onFailure: (error, request, context) => {
      setEditError(error)
      return editFailed(error, request, context)
    },
    onDone: () => {
      toast('success', copy.edit.done)
      setIsEditing(false)
    },
  })
  const remove = useRemoveConnection({
    onFailure: toastFailure(copy.remove.failed, copy.remove.unknown),
    onDone: () => toast('success', copy.remove.done),
  })
  const isPending = ({ pendingSubjects }: Command<never>) => pendingSubjects.has(String(id))
  const isBusy = isPending(edit) || isPending(remove)
  return (
    <>
      <Button busy={isPending(test)} onClick={() => test.run(id)}>
        {copy.test.open}
      </Button>
      <Button
        onClick={() => {
          setEditError(undefined)
          setIsEditing(true)
        }}
      >
        {copy.edit.open}
      </Button>
      <Button
        kind="danger"
        busy={isBusy}
        onClick={() =>
          confirm.ask({
            question: copy.remove.question,
            detail: copy.remove.detail(connection.name),
            action: copy.remove.open,
            onConfirm: () => remove.run(id),
          })
        }
      >
        {copy.remove.open}
      </Button>
      <EditConnectionDialog
        connection={connection}
        isOpen={isEditing}
        isBusy={isBusy}
        errors={fieldErrors(editError)}
        onSubmit={(change) => edit.run({ connectionId: id, edit: change })}
        onClose={() => setIsEditing(false)}
      />
      {confirm.dialog}
    </>
  )
}
