import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import type { FixedMonitoring, MonitoringFigures } from '#ports/controls.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/use-port.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortBadge } from '#ui/ports/port-badge.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy, views } from './copy.ts'
import classes from './monitoring-page.module.css'

const LiveMonitoring = lazyPart(async () => (await import('./live-monitoring.tsx')).LiveMonitoring)

const back = { to: paths.admin, label: copy.back }
const FIGURES: readonly (keyof MonitoringFigures)[] = ['cpuUsage', 'memory', 'requestsPerSecond', 'uptime']

export function MonitoringPage() {
  const port = usePort('monitoring')
  if (port.kind === 'live') {
    return (
      <Suspense fallback={<Loading text={copy.loading} />}>
        <LiveMonitoring port={port} />
      </Suspense>
    )
  }
  if (isPort(port)) return <MonitoringContent port={port} />
  return (
    <Screen title={copy.title} back={back}>
      <NoControls things={copy.things} why={port.kind} />
    </Screen>
  )
}

interface MonitoringContentProps {
  port: FixedMonitoring
}

function MonitoringContent({ port }: MonitoringContentProps) {
  const figures = useQuery(portQueries.monitoring(port, { onFailure: logOnly }))
  return (
    <Screen title={copy.title} aside={<PortBadge kind={port.kind} />} back={back}>
      <Loaded load={figures} loading={copy.loading} failed={copy.failed} reason={problemText(figures.error)}>
        {(shown) => (
          <StatCards>
            {FIGURES.map((name) => (
              <Figure key={name} label={copy.figures[name]} value={shown[name]} />
            ))}
          </StatCards>
        )}
      </Loaded>
      <Card title={copy.details}>
        {port.kind === 'simulated' && <p className={classes.note}>{copy.example}</p>}
        <PortControls kind={port.kind}>
          <Row>
            {views.map(({ label, message }) => (
              <Button key={label} onClick={() => notify('info', message)}>
                {label}
              </Button>
            ))}
          </Row>
        </PortControls>
      </Card>
    </Screen>
  )
}
