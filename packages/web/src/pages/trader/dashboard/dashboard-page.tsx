import { useQuery } from '@tanstack/react-query'
import { engineQueries } from '#data/engine.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { riskQueries } from '#data/risk.ts'
import { paths } from '#paths.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { LinkCard } from '#ui/control/link-card.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessMark } from '#ui/state/freshness-mark.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ComponentsCard } from './components-card.tsx'
import { copy } from './copy.ts'
import classes from './dashboard-page.module.css'
import { EngineCard } from './engine-card.tsx'
import { RiskCard } from './risk-card.tsx'

export function TraderDashboardPage() {
  const freshness = useFreshness('engine')
  const engine = useQuery(engineQueries.info({ onFailure: logOnly, isPolled: true }))
  const components = useQuery(engineQueries.components({ onFailure: logOnly }))
  const metrics = useQuery(riskQueries.metrics({ onFailure: logOnly }))
  const problems = [engine, components, metrics].map(({ error }) => problemText(error))
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessMark {...freshness} />}
      back={{ to: paths.home, label: copy.back }}
    >
      {[...new Set(problems)].map(
        (problem) => problem !== undefined && <Notice key={problem} tone="bad" title={problem} />,
      )}
      <div className={classes.status}>
        <EngineCard
          isLoading={engine.isPending}
          engine={engine.data}
          components={components.data ?? undefined}
          metrics={metrics.data}
        />
        <RiskCard isLoading={metrics.isPending} metrics={metrics.data} />
      </div>
      <ComponentsCard isLoading={components.isPending} components={components.data} />
      <Grid min="narrow">
        {copy.links.map(({ to, title, note }) => (
          <LinkCard key={to} to={to} title={title} note={note} />
        ))}
      </Grid>
    </Screen>
  )
}
