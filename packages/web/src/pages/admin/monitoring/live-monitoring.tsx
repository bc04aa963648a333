import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { logOnly, problemText } from '#data/failure.ts'
import { HISTORY_RANGES, type HistoryRange, monitoringQueries } from '#data/monitoring.ts'
import { paths } from '#paths.ts'
import type { LiveMonitoring as LivePort } from '#ports/controls.ts'
import { portQueries } from '#ports/port-queries.ts'
import { Button } from '#ui/control/button.tsx'
import { Segments } from '#ui/control/segments.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { AlertsView } from './alerts-view.tsx'
import { copy } from './copy.ts'
import { LogsView } from './logs-view.tsx'
import { MetricsView } from './metrics-view.tsx'
import { ReportsView } from './reports-view.tsx'

const VIEWS = ['metrics', 'logs', 'alerts', 'reports'] as const
type View = (typeof VIEWS)[number]

// The keys of the table are its ranges.
const RANGES = (Object.keys(HISTORY_RANGES) as HistoryRange[]).map((value) => ({ value, label: value }))

export interface LiveMonitoringProps {
  port: LivePort
}

/** MON-3: what the server measured. The open view is in the address, so that a link or a reload restores it. */
export function LiveMonitoring({ port }: LiveMonitoringProps) {
  const [params, setParams] = useSearchParams()
  const view = VIEWS.find((name) => name === params.get('view')) ?? 'metrics'
  const [range, setRange] = useState<HistoryRange>('1h')
  const measured = useQuery(portQueries.measured(port, { onFailure: logOnly }))
  const history = useQuery({
    ...monitoringQueries.history(range, measured.data?.rates ?? []),
    enabled: view === 'metrics' && measured.data !== undefined,
  })
  const freshness = measured.status === 'error' ? 'stale' : 'live'
  return (
    <Screen
      title={copy.title}
      aside={measured.data && <FreshnessBadge freshness={freshness} asOf={Date.parse(measured.data.as_of)} />}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <>
          {VIEWS.map((name) => (
            <Button key={name} aria-pressed={name === view} onClick={() => setParams(paramsOf(name))}>
              {copy.views[name]}
            </Button>
          ))}
          {view === 'metrics' && (
            <Segments label={copy.range} labelHidden options={RANGES} value={range} onChange={setRange} />
          )}
        </>
      }
    >
      {view === 'metrics' && (
        <Loaded
          load={measured}
          loading={copy.loading}
          failed={copy.failed}
          reason={problemText(measured.error)}
        >
          {(figures) => <MetricsView measured={figures} history={history.data} />}
        </Loaded>
      )}
      {view === 'logs' && <LogsView />}
      {view === 'alerts' && <AlertsView />}
      {view === 'reports' && <ReportsView />}
    </Screen>
  )
}

function paramsOf(view: View): Record<string, string> {
  return view === 'metrics' ? {} : { view }
}
