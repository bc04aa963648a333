import type { PlanStep } from '@binnacle/contract'
import { copy } from './copy.ts'
import classes from './query-tools.module.css'

export interface PlanTreeProps {
  plan: PlanStep
}

export function PlanTree({ plan }: PlanTreeProps) {
  return (
    <section aria-label={copy.plan}>
      <h3 className={classes.title}>{copy.plan}</h3>
      <Steps steps={plan.children.length > 0 ? plan.children : [plan]} className={classes.plan} />
    </section>
  )
}

function Steps({ steps, className }: { steps: readonly PlanStep[]; className?: string | undefined }) {
  return (
    <ul className={className}>
      {numbered(steps).map(({ step, number }) => (
        <li key={number}>
          {step.title} <span className={classes.detail}>{detailOf(step)}</span>
          {step.children.length > 0 && <Steps steps={step.children} />}
        </li>
      ))}
    </ul>
  )
}

/** Steps have no names of their own. */
function numbered(steps: readonly PlanStep[]) {
  return steps.map((step, number) => ({ step, number }))
}

function detailOf({ detail, rows }: PlanStep): string {
  return [detail, rows === undefined ? undefined : copy.rows(rows)].filter(Boolean).join('; ')
}
