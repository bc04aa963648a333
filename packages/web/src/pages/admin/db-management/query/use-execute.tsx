import type { Connection, QueryResult } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import {
  type NameConfirmation,
  useCancelQuery,
  useRunningQueryId,
  useRunQuery,
} from '#data/databases/queries.ts'
import { createRandomId } from '#data/random-id.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { copy } from './copy.ts'

const ConfirmStatement = lazyPart(async () => (await import('./confirm-statement.tsx')).ConfirmStatement)

interface Execution {
  /** Executes this part of the draft; without one, all of it. */
  execute: (selection?: string) => void
  isRunning: boolean
  /** Defined only while a statement that can be cancelled runs. */
  cancel: (() => void) | undefined
  dialog: ReactNode
}

/** Executes the draft, with the confirmation dialog for a destructive statement. */
export function useExecute({ id: connectionId, can: capabilities }: Connection, draft: string): Execution {
  const [confirmation, setConfirmation] = useState<NameConfirmation>()
  const statement = useRunQuery({
    onFailure: toastFailure(copy.executeFailed, copy.unknown.execute),
    onDone: announce,
    onConfirmationRequired: setConfirmation,
  })
  const cancel = useCancelQuery({ onFailure: toastFailure(copy.cancelFailed, copy.unknown.cancel) })
  const queryId = useRunningQueryId(connectionId)
  const execute = (selection = '') => {
    const query = selection.trim() === '' ? draft : selection
    if (query.trim() === '') return
    statement.run({ connectionId, query, ...(capabilities && { queryId: createRandomId() }) })
  }
  const close = () => setConfirmation(undefined)
  const runConfirmed = (confirm: string) => {
    if (confirmation) statement.run({ ...confirmation.sent, confirm })
    close()
  }
  return {
    execute,
    isRunning: statement.pendingSubjects.has(String(connectionId)),
    cancel: queryId === undefined ? undefined : () => cancel.run({ connectionId, queryId }),
    dialog: capabilities && (
      <LazyBoundary resetKey={confirmation} onClose={confirmation && close}>
        <ConfirmStatement confirmation={confirmation} onConfirm={runConfirmed} onClose={close} />
      </LazyBoundary>
    ),
  }
}

function announce(result: QueryResult): void {
  if (result.success) toast('success', copy.executed(result.execution_time))
  else toast('error', copy.failed(result.error || result.message))
}
