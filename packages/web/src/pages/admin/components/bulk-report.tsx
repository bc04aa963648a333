import { isRefusal, problemText } from '#data/failure.ts'
import type { LifecycleAction } from '#ports/controls.ts'
import { Notice } from '#ui/state/notice.tsx'
import classes from './bulk-report.module.css'
import { copy } from './copy.ts'
import type { BulkOutcome } from './use-component-actions.tsx'

/** COMP-400: the outcome for each component of Start All, Stop All or Restart All. */
export function BulkReport({ action, outcomes }: BulkOutcome) {
  const hasFailures = outcomes.some(({ error }) => error !== undefined)
  return (
    <Notice tone={hasFailures ? 'warn' : 'good'} title={copy.report} isAlert>
      <ul className={classes.report}>
        {outcomes.map(({ id, name, error }) => (
          <li
            key={id}
          >{`${name}: ${error === undefined ? copy.outcomes[action] : failureOf(action, error)}`}</li>
        ))}
      </ul>
    </Notice>
  )
}

function failureOf(action: LifecycleAction, error: unknown): string {
  if (!isRefusal(error)) return copy.noAnswer
  return [copy.notDone[action], problemText(error)].filter((part) => part !== undefined).join('. ')
}
