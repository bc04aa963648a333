import { useQuery } from '@tanstack/react-query'
import { engineQueries } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { LinkCard } from '#ui/control/link-card.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import { cards, copy, figures } from './copy.ts'
import classes from './dashboard-page.module.css'

export function AdminDashboardPage() {
  const engine = useQuery(
    engineQueries.info({
      onLoaded: () => notify('success', copy.connected),
      onFailure: notifyFailure(copy.connectFailed),
    }),
  )
  return (
    <Screen
      title={copy.title}
      aside={<ConnectionBadge state={connectionOf(engine)} traderId={engine.data?.trader_id} />}
      back={{ to: paths.home, label: copy.back }}
      actions={
        <>
          <Button onClick={() => notify('info', copy.testMessage)}>{copy.testNotification}</Button>
          <Button busy={engine.isFetching} onClick={() => engine.refetch()}>
            {copy.refresh}
          </Button>
        </>
      }
    >
      <StatCards>
        {figures.map(({ label, value }) => (
          <Figure key={label} label={label} value={value} />
        ))}
      </StatCards>
      <div className={classes.cards}>
        {cards.map((card) => (
          <LinkCard key={card.to} {...card} />
        ))}
      </div>
    </Screen>
  )
}

/** ADM-2: what an earlier screen learnt does not count; the engine is asked anew on each visit. */
function connectionOf(engine: { isFetchedAfterMount: boolean; isError: boolean }) {
  if (!engine.isFetchedAfterMount) return 'connecting'
  return engine.isError ? 'disconnected' : 'connected'
}
