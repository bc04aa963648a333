import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import {
  engineQueries,
  isOrderGate,
  useIsFeatureOff,
  useIsServiceStopped,
  useStoppedComponents,
} from '#data/engine.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { riskQueries, useSaveLimits } from '#data/risk.ts'
import { tradingStateQueries, useChangeTradingState, useTradingState } from '#data/trading-state.ts'
import { paths } from '#paths.ts'
import { formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { useFreshness, useFrozen } from '#state/topic-freshness.ts'
import { tradingStateFailures } from '#state/trading-state-failures.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { AlertsPanel } from './alerts-panel.tsx'
import { copy } from './copy.ts'
import { LIMIT_NAMES, limitsInForce, unusualGrowth } from './limits.ts'
import { LimitsPanel } from './limits-panel.tsx'
import { MetricCards } from './metric-cards.tsx'
import { alertsFor } from './risk-alerts.ts'
import { TradingPanel } from './trading-panel.tsx'

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  load(riskQueries.overview({ onFailure: logOnly }))
  load(engineQueries.summary())
  if (offers(backend, 'trading-state')) load(tradingStateQueries.current())
}

export function RiskPage() {
  const freshness = useFreshness('risk')
  const { data: overview, isPending, error } = useQuery(riskQueries.overview({ onFailure: logOnly }))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const save = useSaveLimits({ onFailure: toastFailureAfterUnmount(copy.limits.unknown) })
  const trading = useTradingState()
  const change = useChangeTradingState(tradingStateFailures)
  const isRiskStopped = useIsServiceStopped('risk')
  const stoppedGates = useStoppedComponents().filter(isOrderGate)
  const areLimitsOff = useIsFeatureOff('risk-management')
  const isNotNormal =
    areLimitsOff || stoppedGates.length > 0 || (trading !== undefined && trading.state !== 'ACTIVE')
  const isFrozen = useFrozen('risk') !== undefined
  const { ask, dialog } = useConfirm()
  const problem = problemText(error)
  const metrics = overview?.metrics
  const isLive = backend?.kind === 'live'
  // RISK-10: only the baseline shows defaults for limits that were not loaded.
  const areLimitsUnknown = overview?.limits === undefined && backend?.kind !== 'baseline'
  const limits = areLimitsUnknown ? undefined : limitsInForce(overview?.limits)
  const saveLimits: typeof save.run = (typed, onReloaded) => {
    // ORD-76: the baseline saves without a question, as specified.
    const stopping = isLive ? LIMIT_NAMES.filter((name) => typed[name] === 0) : []
    const growing = isLive && limits ? unusualGrowth(limits, typed) : []
    if (stopping.length + growing.length === 0) return save.run(typed, onReloaded)
    ask({
      question: copy.limits.question(stopping, growing),
      action: copy.limits.save,
      onConfirm: () => save.run(typed, onReloaded),
    })
    return false
  }
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
    >
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {metrics && <MetricCards metrics={metrics} limits={limits} isRiskStopped={isRiskStopped} />}
      {!isPending && (
        <Grid min="wide">
          {metrics && limits && (
            <AlertsPanel alerts={alertsFor(metrics, limits, { isNotNormal, isLive, isFrozen })} />
          )}
          {trading && (
            <TradingPanel
              current={trading}
              stoppedGates={stoppedGates.map(({ name }) => name)}
              areLimitsOff={areLimitsOff}
              busy={change.isPending}
              onChange={(state) =>
                ask({
                  ...copy.trading.confirmations[state],
                  action: copy.trading.actions[state],
                  onConfirm: () => change.run(state),
                  // RISK-44: under HALTED a position cannot be closed.
                  ...(state === 'HALTED' &&
                    trading.state !== 'REDUCING' && {
                      alternative: {
                        action: copy.trading.actions.REDUCING,
                        onConfirm: () => change.run('REDUCING'),
                      },
                    }),
                })
              }
            />
          )}
          <LimitsPanel
            stored={overview?.limits}
            isUnknown={areLimitsUnknown}
            busy={save.isPending}
            failure={
              save.failure && formFailure(save.failure, { unknown: copy.limits.unknown, fields: LIMIT_NAMES })
            }
            isLive={isLive}
            onOpen={save.reset}
            onSave={saveLimits}
          />
        </Grid>
      )}
      {dialog}
    </Screen>
  )
}
