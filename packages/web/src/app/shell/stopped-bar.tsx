import type { Component } from '@binnacle/contract'
import { isOrderGate, useComponentsAtRest } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import tones from '#ui/look/tone.module.css'
import classes from './held-trading.module.css'

/**
 * COMP-7: figures that stand still look like any others, so every screen says what does not run, what a trader will
 * notice of it, and where it is started.
 */
export function StoppedBar() {
  const atRest = useComponentsAtRest()
  if (atRest.length === 0) return null
  return (
    <section aria-label="Components at rest" className={`${classes.bar} ${tones.warn}`} data-tone="warn">
      <div className={classes.words}>
        {atRest.map((component) => (
          <p key={component.id}>
            <strong>
              {component.name} is {component.status}.
            </strong>{' '}
            <span className={classes.reason}>{consequenceOf(component, atRest)}</span>
          </p>
        ))}
      </div>
      <TextLink to={paths.adminComponents}>Go to Components</TextLink>
    </section>
  )
}

/** What else a stop does is said of each; what it does to orders only of those that are the strictest. */
function consequenceOf(component: Component, atRest: readonly Component[]): string | undefined {
  const consequence = CONSEQUENCES.get(component.name)
  const isStrictest = strictnessOf(component) === Math.max(...atRest.map(strictnessOf))
  return isStrictest ? consequence?.whole : consequence?.besideStricter
}

function strictnessOf(component: Component): number {
  if (component.name === 'ExecutionEngine') return 2
  return isOrderGate(component) ? 1 : 0
}

interface Consequence {
  whole: string
  besideStricter?: string
}

const SLOWER = 'Lists are read from the stores, which takes longer.'

const CONSEQUENCES: ReadonlyMap<string, Consequence> = new Map([
  [
    'DataEngine',
    {
      whole: 'Prices and what is made of them stand still, and market orders are refused.',
      besideStricter: 'Prices and what is made of them stand still.',
    },
  ],
  ['ExecutionEngine', { whole: 'Every new order is refused, those that close a position included.' }],
  ['RiskEngine', { whole: 'Only orders that reduce a position are let through.' }],
  [
    'Portfolio',
    {
      whole: 'P&L and risk figures stand still, and only orders that reduce a position are let through.',
      besideStricter: 'P&L and risk figures stand still.',
    },
  ],
  ['Cache', { whole: SLOWER, besideStricter: SLOWER }],
  [
    'MessageBus',
    { whole: 'Strategies hear nothing; orders by hand pass.', besideStricter: 'Strategies hear nothing.' },
  ],
])
