import { useComponentsAtRest } from '#data/engine.ts'
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
        {atRest.map(({ id, name, status }) => (
          <p key={id}>
            <strong>
              {name} is {status}.
            </strong>{' '}
            <span className={classes.reason}>{CONSEQUENCES.get(name)}</span>
          </p>
        ))}
      </div>
      <TextLink to={paths.adminComponents}>Go to Components</TextLink>
    </section>
  )
}

const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ['DataEngine', 'Prices and what is made of them stand still, and market orders are refused.'],
  ['ExecutionEngine', 'Every new order is refused, those that close a position included.'],
  ['RiskEngine', 'Only orders that reduce a position are let through.'],
  ['Portfolio', 'P&L and risk figures stand still, and only orders that reduce a position are let through.'],
  ['Cache', 'Lists are read from the stores, which takes longer.'],
  ['MessageBus', 'Strategies hear nothing; orders by hand pass.'],
])
