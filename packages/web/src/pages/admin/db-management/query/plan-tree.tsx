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
      <Steps steps={isHeading(plan) ? plan.children : [plan]} className={classes.plan} />
    </section>
  )
}

/** SQLite names its tree 'QUERY PLAN'; the top node of other stores is a step of its own (DB-35). */
function isHeading({ detail, rows, cost, children }: PlanStep): boolean {
  return children.length > 0 && detail === undefined && rows === undefined && cost === undefined
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

/** Plan steps have no id, so the index is the key. */
function numbered(steps: readonly PlanStep[]) {
  return steps.map((step, number) => ({ step, number }))
}

function detailOf({ detail, rows, cost }: PlanStep): string {
  return [detail, rows !== undefined && copy.rows(rows), cost !== undefined && copy.cost(cost)]
    .filter(Boolean)
    .join('; ')
}
