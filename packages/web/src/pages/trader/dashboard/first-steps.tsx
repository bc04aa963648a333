import type { Order, Strategy } from '@binnacle/contract'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { backtestQueries } from '#data/backtests.ts'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { useEngineSummary } from '#data/engine.ts'
import { setPreference, usePreferences } from '#state/preferences.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './first-steps.module.css'

export interface FirstStepsProps {
  orders: readonly Order[] | undefined
  strategies: readonly Strategy[] | undefined
}

/** TRD-22: what a new user does first on simulated venues, until it is hidden. */
export function FirstSteps({ orders = [], strategies = [] }: FirstStepsProps) {
  const { firstSteps, hasSeenMarket } = usePreferences()
  const isSimulated = useEngineSummary()?.hasSimulatedVenues === true
  const { title, hide, done, steps, stop } = copy.firstSteps
  const isShown = isSimulated && firstSteps !== 'hidden'
  const { data: backend } = useQuery(capabilityQueries.backend())
  const hasBacktests = offers(backend, 'backtesting')
  const { data: hasRun = false } = useQuery({ ...backtestQueries.any(), enabled: isShown && hasBacktests })
  if (!isShown) return null
  const isDone = {
    market: hasSeenMarket,
    order: orders.length > 0,
    backtest: hasRun,
    strategy: strategies.length > 0,
  }
  return (
    <div data-by-choice="first-steps">
      <Card
        title={title}
        actions={
          <Button kind="quiet" onClick={() => setPreference('firstSteps', 'hidden')}>
            {hide}
          </Button>
        }
      >
        <ol className={classes.steps}>
          {steps.map(({ id, to, link, text }) => (
            <li key={id} data-done={isDone[id] || undefined} data-by-choice={id}>
              {isDone[id] ? (
                <IconCircleCheck size={16} role="img" aria-label={done} />
              ) : (
                <IconCircle size={16} stroke={1.5} aria-hidden />
              )}
              <span>
                <Link to={to}>{link}</Link>
                {text}
              </span>
            </li>
          ))}
        </ol>
        <p className={classes.stop}>{stop}</p>
      </Card>
    </div>
  )
}
