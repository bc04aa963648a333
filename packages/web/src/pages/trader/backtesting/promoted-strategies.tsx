import type { Id } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { usePromotions } from '#data/backtests.ts'
import { logOnly } from '#data/failure.ts'
import { type StrategyRef, strategyQueries, useStartStrategy } from '#data/strategies.ts'
import { paths } from '#paths.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './result-panel.module.css'

/** EDIT-5: started here, without a way to another screen. */
export function PromotedStrategies({ run }: { run: Id }) {
  const promotions = usePromotions()
  const ids = [...promotions.values()].filter(({ backtest }) => String(backtest) === String(run))
  const { data } = useQuery({
    ...strategyQueries.list({ onFailure: logOnly, isPolled: true }),
    enabled: ids.length > 0,
  })
  const start = useStartStrategy(
    createFailureToasts<StrategyRef>({
      name: ({ id }) => `strategy ${id}`,
      unknown: ({ name }) => copy.promoted.unknown(name),
    }),
  )
  const strategies =
    data?.filter(({ id }) => ids.some(({ strategy }) => String(strategy) === String(id))) ?? []
  if (strategies.length === 0) return null
  return (
    <Card title={copy.promoted.title}>
      <ul className={classes.promoted}>
        {strategies.map((strategy) => (
          <li key={strategy.id}>
            <TextLink to={`${paths.strategies}?strategy=${strategy.id}`}>{strategy.name}</TextLink>
            <Badge tone={strategy.status === 'running' ? 'good' : 'calm'}>{strategy.status}</Badge>
            {strategy.status === 'stopped' && (
              <Button
                aria-label={copy.promoted.startName(strategy.name)}
                busy={start.pendingSubjects.has(String(strategy.id))}
                onClick={() => start.run(strategy)}
              >
                {copy.promoted.start}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
