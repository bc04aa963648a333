import type { Component } from '@binnacle/contract'
import { isOrderGate, useStoppedComponents } from '#data/engine.ts'
import { paths } from '#paths.ts'
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

/** COMP-9: only the strictest stopped components mention orders; the others show `withoutOrders`. */
function consequenceOf(component: Component, stopped: readonly Component[]): string | undefined {
  const consequence = CONSEQUENCES.get(component.name)
  const isStrictest = strictnessOf(component) === Math.max(...stopped.map(strictnessOf))
  return isStrictest ? consequence?.full : consequence?.withoutOrders
}

function strictnessOf(component: Component): number {
  if (component.name === 'ExecutionEngine') return 2
  return isOrderGate(component) ? 1 : 0
}

interface Consequence {
  full: string
  withoutOrders?: string
}

const SLOWER = 'Lists are read from the databases, which takes longer.'

const CONSEQUENCES: ReadonlyMap<string, Consequence> = new Map([
  [
    'DataEngine',
    {
      full: 'Prices and derived figures are frozen; market orders are refused.',
      withoutOrders: 'Prices and derived figures are frozen.',
    },
  ],
  ['ExecutionEngine', { full: 'All new orders are refused, including those that close a position.' }],
  ['RiskEngine', { full: 'Only orders that reduce a position are accepted.' }],
  [
    'Portfolio',
    {
      full: 'P&L and risk figures are frozen; only orders that reduce a position are accepted.',
      withoutOrders: 'P&L and risk figures are frozen.',
    },
  ],
  ['Cache', { full: SLOWER, withoutOrders: SLOWER }],
  [
    'MessageBus',
    {
      full: 'Strategies receive no events; manual orders still work.',
      withoutOrders: 'Strategies receive no events.',
    },
  ],
])
