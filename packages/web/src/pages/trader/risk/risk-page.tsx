import { useQuery } from '@tanstack/react-query'
import { capabilityQueries } from '#data/capabilities.ts'
import { isOrderGate, useComponentsAtRest } from '#data/engine.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { riskQueries, useSaveLimits } from '#data/risk.ts'
import { useChangeTradingState, useTradingState } from '#data/trading-state.ts'
import { paths } from '#paths.ts'
import { showProblem } from '#state/toasts.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { AlertsPanel } from './alerts-panel.tsx'
import { copy } from './copy.ts'
import { limitsInForce } from './limits.ts'
import { LimitsPanel } from './limits-panel.tsx'
import { MetricCards } from './metric-cards.tsx'
import { alertsFor } from './risk-alerts.ts'
import { TradingPanel } from './trading-panel.tsx'

export function RiskPage() {
  const { data: picture, isPending, error } = useQuery(riskQueries.picture({ onFailure: logOnly }))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const save = useSaveLimits({ onFailure: showProblem })
  const trading = useTradingState()
  const change = useChangeTradingState({ onFailure: showProblem })
  const gatesAtRest = useComponentsAtRest().filter(isOrderGate)
  const isTradingHeld = gatesAtRest.length > 0 || (trading !== undefined && trading.state !== 'ACTIVE')
  const { ask, dialog } = useConfirm()
  const problem = problemText(error)
  const metrics = picture?.metrics
  const limits = limitsInForce(picture?.limits)
  return (
    <Screen title={copy.title} back={{ to: paths.admin, label: copy.back }}>
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {metrics && <MetricCards metrics={metrics} limits={limits} />}
      {!isPending && (
        <Grid min="wide">
          {metrics && <AlertsPanel alerts={alertsFor(metrics, limits, isTradingHeld)} />}
          {trading && (
            <TradingPanel
              current={trading}
              gatesAtRest={gatesAtRest.map(({ name }) => name)}
              busy={change.isPending}
              onChange={(state) => ask(copy.trading.questions[state], () => change.run(state))}
            />
          )}
          <LimitsPanel
            stored={picture?.limits}
            busy={save.isPending}
            isLive={backend?.kind === 'live'}
            onSave={save.run}
          />
        </Grid>
      )}
      {dialog}
    </Screen>
  )
}
