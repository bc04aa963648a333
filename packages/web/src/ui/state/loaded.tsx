import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { Notice } from './notice.tsx'

export interface LoadedProps<Value> {
  load: { status: 'pending' | 'error' | 'success'; data: Value | undefined }
  loading: string
  failed: string
  /** What the server said about a failure, if it said something. */
  reason?: string | undefined
  /** The ready rendering; an empty list says so itself. */
  children: (value: Value) => ReactNode
}

/** The renderings of a load: what has arrived stays on the screen even when a later load fails. */
export function Loaded<Value>({ load, loading, failed, reason, children }: LoadedProps<Value>) {
  if (load.status === 'pending') return <Loading text={loading} />
  if (load.data === undefined) {
    return (
      <Notice tone="bad" title={failed}>
        {reason}
      </Notice>
    )
  }
  return children(load.data)
}
