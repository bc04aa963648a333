import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { Notice } from './notice.tsx'

export interface LoadedProps<Value> {
  load: { status: 'pending' | 'error' | 'success'; data: Value | undefined }
  loading: string
  failed: string
  /** The server's problem text, if there is one. */
  reason?: string | undefined
  /** Renders the value, an empty list included. */
  children: (value: Value) => ReactNode
}

/** Renders a load as loading, failed or ready. Loaded values stay on the screen when a later load fails. */
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
