import type { Component } from '@binnacle/contract'
import { isOrderGate, useStoppedComponents } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { COMPONENT_CONSEQUENCES } from '#ports/component-consequences.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import tones from '#ui/look/tone.module.css'
import classes from './status-bar.module.css'

/** COMP-7: names each stopped component on every screen, with its consequence: stale figures look like fresh ones. */
export function StoppedBar() {
  const stopped = useStoppedComponents()
  if (stopped.length === 0) return null
  return (
    <section aria-label="Stopped components" className={`${classes.bar} ${tones.warn}`} data-tone="warn">
      <div className={classes.words}>
        {stopped.map((component) => (
          <p key={component.id}>
            <strong>
              {component.name} is {component.status}.
            </strong>{' '}
            <span className={classes.reason}>{consequenceOf(component, stopped)}</span>
          </p>
        ))}
      </div>
      <TextLink to={paths.adminComponents}>Go to Components</TextLink>
    </section>
  )
}

/** COMP-9: only the strictest stopped components mention orders; the others show `stoppedWithoutOrders`. */
function consequenceOf(component: Component, stopped: readonly Component[]): string | undefined {
  const consequence = COMPONENT_CONSEQUENCES.get(component.name)
  const isStrictest = strictnessOf(component) === Math.max(...stopped.map(strictnessOf))
  return isStrictest ? consequence?.stopped : consequence?.stoppedWithoutOrders
}

function strictnessOf(component: Component): number {
  if (component.name === 'ExecutionEngine') return 2
  return isOrderGate(component) ? 1 : 0
}
