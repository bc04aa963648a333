import type { FallbackProps } from 'react-error-boundary'
import { Button } from '#ui/control/button.tsx'
import { isLoadFailure } from '#ui/control/load-failures.ts'
import classes from './error-screen.module.css'

/** Shown in place of a screen that failed to render. */
export function ErrorScreen({ error, resetErrorBoundary }: FallbackProps) {
  return (
    <div className={classes.screen} role="alert">
      <h1>An unexpected error occurred.</h1>
      <pre>{stackOf(error)}</pre>
      <div className={classes.buttons}>
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload Page
        </Button>
        {isLoadFailure(error) && <Button onClick={resetErrorBoundary}>Try again</Button>}
      </div>
    </div>
  )
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
