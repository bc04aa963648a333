import type { Connection } from '@binnacle/contract'
import { useState } from 'react'
import {
  useEditConnection,
  useIsChangingConnection,
  useIsTestingConnection,
  useRemoveConnection,
  useTestConnection,
} from '#data/databases/connection-changes.ts'
import { copy } from '#pages/admin/db-management/copy.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { EditConnectionDialog } from './edit-connection-dialog.tsx'

export interface ConnectionActionsProps {
  connection: Connection
}

/** For a backend beyond the specification: a connection is tested, edited and deleted. */
export function ConnectionActions({ connection }: ConnectionActionsProps) {
  const { id } = connection
  const [isEditing, setIsEditing] = useState(false)
  const confirm = useConfirm()
  const test = useTestConnection({
    onFailure: toastFailure(copy.test.failed),
    onDone: (_, result) =>
      result.success
        ? toast('success', copy.test.answers(result.version))
        : toast('error', copy.test.silent(result.error)),
  })
  const edit = useEditConnection({
    onFailure: toastFailure(copy.edit.failed),
    onDone: () => {
      toast('success', copy.edit.done)
      setIsEditing(false)
    },
  })
  const remove = useRemoveConnection({
    onFailure: toastFailure(copy.remove.failed),
    onDone: () => toast('success', copy.remove.done),
  })
  const isBusy = useIsChangingConnection(id)
  return (
    <>
      <Button busy={useIsTestingConnection(id)} onClick={() => test(id)}>
        {copy.test.open}
      </Button>
      <Button onClick={() => setIsEditing(true)}>{copy.edit.open}</Button>
      <Button
        kind="danger"
        busy={isBusy}
        onClick={() => confirm.ask(copy.remove.question, () => remove(id), connection.name)}
      >
        {copy.remove.open}
      </Button>
      <EditConnectionDialog
        connection={connection}
        isOpen={isEditing}
        isBusy={isBusy}
        onSubmit={(change) => edit({ connectionId: id, edit: change })}
        onClose={() => setIsEditing(false)}
      />
      {confirm.dialog}
    </>
  )
}
