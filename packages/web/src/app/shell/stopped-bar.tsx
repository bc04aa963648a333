import type { Component } from '@binnacle/contract'
import { isOrderGate, useStoppedComponents } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { COMPONENT_CONSEQUENCES } from '#ports/component-consequences.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { StatusBar, StatusNotices } from './status-bar.tsx'

/** COMP-7: names each stopped component on every screen, with its consequence: stale figures look like fresh ones. */
export function StoppedBar() {
  const stopped = useStoppedComponents()
  if (stopped.length === 0) return null
  const notices = stopped.map((component) => ({
    title: `${component.name} is ${component.status}`,
    text: consequenceOf(component, stopped),
  }))
  return (
    <StatusBar label="Stopped components" tone="warn">
      <StatusNotices notices={notices} />
      <TextLink to={paths.adminComponents}>Go to Components</TextLink>
    </StatusBar>
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
