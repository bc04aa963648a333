import type { Connection, QueryResult } from '@binnacle/contract'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import {
  type NameWanted,
  useCancelQuery,
  useIsQueryRunning,
  useRunningQueryId,
  useRunQuery,
} from '#data/databases/queries.ts'
import { toast, toastFailure } from '#state/toasts.ts'
import { copy } from './copy.ts'

const ConfirmStatement = lazy(async () => ({
  default: (await import('./confirm-statement.tsx')).ConfirmStatement,
}))

interface Execution {
  execute: () => void
  isRunning: boolean
  /** Only while a statement runs that can be cancelled. */
  cancel: (() => void) | undefined
  dialog: ReactNode
}

/** Everything about executing the draft, the name that a destructive statement asks for included. */
export function useExecute({ id: connectionId, can }: Connection, draft: string): Execution {
  const [wanted, setWanted] = useState<NameWanted>()
  const run = useRunQuery({
    onFailure: toastFailure(copy.executeFailed),
    onDone: (_, result) => announce(result),
    onNameWanted: setWanted,
  })
  const cancel = useCancelQuery({ onFailure: toastFailure(copy.cancelFailed), onDone: () => {} })
  const queryId = useRunningQueryId(connectionId)
  const execute = () => {
    if (draft.trim() === '') return
    run({ connectionId, query: draft, ...(can && { queryId: newQueryId() }) })
  }
  const close = () => setWanted(undefined)
  const confirmed = (confirm: string) => {
    if (wanted) run({ ...wanted.sent, confirm })
    close()
  }
  return {
    execute,
    isRunning: useIsQueryRunning(connectionId),
    cancel: queryId === undefined ? undefined : () => cancel({ connectionId, queryId }),
    dialog: can && (
      <Suspense fallback={null}>
        <ConfirmStatement wanted={wanted} onConfirm={confirmed} onClose={close} />
      </Suspense>
    ),
  }
}

/** Not a UUID of the platform, which a page has only over HTTPS or on localhost. */
function newQueryId(): string {
  const part = () => Math.random().toString(36).slice(2, 10).padEnd(8, '0')
  return `${part()}-${part()}`
}

function announce(result: QueryResult): void {
  if (result.success) toast('success', copy.executed(result.execution_time))
  else toast('error', copy.failed(result.error || result.message))
}
