import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from '#ui/control/button.tsx'
import { isLoadFailure, markLoadFailure, reloadFailedStyles } from '#ui/control/load-failures.ts'
import classes from './lazy-part.module.css'

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the code before it is rendered. */
  load: () => Promise<ComponentType<Props>>
}

/** Failed attempts to load, which are rendered until an error boundary shows them. */
const failedLoads = new Set<() => void>()

/** For the `onError` of an error boundary: the next rendering of what did not load asks for it again. */
export function discardFailedLoads(): void {
  for (const discard of failedLoads) discard()
  failedLoads.clear()
}

/** Rendered at once when its code is loaded, else suspended until it is. React's own `lazy` keeps a failure for good. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  let suspended: ComponentType<Props> | undefined
  const loadPart = async () => {
    try {
      await reloadFailedStyles()
      loaded = await load()
      return loaded
    } catch (error) {
      markLoadFailure(error)
      throw error
    }
  }
  const suspend = () => {
    suspended ??= lazy(async () => {
      try {
        return { default: await loadPart() }
      } catch (error) {
        failedLoads.add(() => {
          suspended = undefined
        })
        throw error
      }
    })
    return suspended
  }
  function Part(props: Props) {
    const [Current] = useState<ComponentType<Props>>(() => loaded ?? suspend())
    return <Current {...props} />
  }
  return Object.assign(Part, { load: loadPart })
}

export interface LazyBoundaryProps {
  /** What did not load is tried again when this changes. */
  resetKey?: unknown
  /** The part is shown over the screen, and so is its failure, which this closes. */
  onClose?: (() => void) | undefined
  /** Shown while the part loads. */
  fallback?: ReactNode
  /** Shown in place of 'Could not load.' */
  failed?: ReactNode
  children: ReactNode
}

/** Around a lazy part: a failed load leaves the rest of the console usable. */
export function LazyBoundary(props: LazyBoundaryProps) {
  const { resetKey, onClose, fallback = null, failed, children } = props
  return (
    <ErrorBoundary
      resetKeys={[resetKey]}
      onError={discardFailedLoads}
      fallbackRender={({ error, resetErrorBoundary }) => {
        if (!isLoadFailure(error)) throw error
        return failed ?? <LoadFailed onRetry={resetErrorBoundary} onClose={onClose} />
      }}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  )
}

interface LoadFailedProps {
  onRetry: () => void
  onClose: (() => void) | undefined
}

function LoadFailed({ onRetry, onClose }: LoadFailedProps) {
  return (
    <div className={classes.failed} data-over={onClose !== undefined || undefined} role="alert">
      Could not load.
      <Button onClick={onRetry}>Try again</Button>
      {onClose && <Button onClick={onClose}>Close</Button>}
    </div>
  )
}
