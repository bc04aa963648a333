import type { FallbackProps } from 'react-error-boundary'
import { Button } from '#ui/control/button.tsx'
import classes from './error-screen.module.css'

/** Shown in place of a screen that failed to render. */
export function ErrorScreen({ error }: Pick<FallbackProps, 'error'>) {
  return (
    <div className={classes.screen} role="alert">
      <h1>An unexpected error occurred.</h1>
      <pre>{stackOf(error)}</pre>
      <div>
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload Page
        </Button>
      </div>
    </div>
  )
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
