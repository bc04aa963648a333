import type { FlagOutcome } from '#ports/controls.ts'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './features-page.module.css'

export interface FlagReportProps {
  outcomes: readonly FlagOutcome[]
}

/** FEAT-13: what became of each flag when all were switched. */
export function FlagReport({ outcomes }: FlagReportProps) {
  const hasRefusals = outcomes.some(({ refused }) => refused !== undefined)
  return (
    <Notice tone={hasRefusals ? 'warn' : 'good'} title={copy.flags.report} isAlert>
      <ul className={classes.report}>
        {outcomes.map((outcome) => (
          <li key={outcome.id}>
            {outcome.name}: {resultOf(outcome)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function resultOf({ enabled, changed, refused }: FlagOutcome): string {
  if (refused !== undefined) return copy.flags.refused(enabled, refused)
  return changed ? copy.flags.switched(enabled) : copy.flags.unchanged(enabled)
}
