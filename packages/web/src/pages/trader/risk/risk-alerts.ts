import type { RiskLimits, RiskMetrics } from '@binnacle/contract'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { CRITICAL_EXPOSURE_PERCENT, exposurePercent, marginPercent } from './risk-levels.ts'

export interface RiskAlert {
  tone: Tone
  title: string
  text?: string
}

const HIGH_MARGIN_PERCENT = 80
const NORMAL_BELOW_PERCENT = 50

export interface AlertOptions {
  /** Orders are refused, or pass without a check of the limits. */
  isNotNormal?: boolean
  /** RISK-43: the sentence about normal metrics is left out beside any other alert. */
  isLive?: boolean
  /** RISK-101: a component that computes the figures is stopped. */
  isFrozen?: boolean
}

/** RISK-15 to RISK-19: independent conditions, so several alerts or none can show. */
export function alertsFor(
  metrics: RiskMetrics,
  limits: RiskLimits,
  { isNotNormal = false, isLive = false, isFrozen = false }: AlertOptions = {},
): RiskAlert[] {
  const margin = marginPercent(metrics)
  const exposure = exposurePercent(metrics, limits)
  const { position_count: open } = metrics
  const { max_positions: allowed } = limits
  const { alerts } = copy
  const rules: [applies: boolean, alert: RiskAlert][] = [
    [exposure > CRITICAL_EXPOSURE_PERCENT, { tone: 'bad', ...alerts.exposure }],
    [margin > HIGH_MARGIN_PERCENT, { tone: 'warn', ...alerts.margin }],
    [
      open >= allowed,
      { tone: 'warn', title: alerts.positions.title, text: alerts.positions.text(open, allowed) },
    ],
  ]
  const raised = rules.filter(([applies]) => applies).map(([, alert]) => alert)
  if (isFrozen) return [...raised, { tone: 'warn', ...alerts.frozen }]
  const isNormal = margin < NORMAL_BELOW_PERCENT && exposure < NORMAL_BELOW_PERCENT
  return isNormal && !(isLive && raised.length > 0) ? [...raised, normalAlert(isNotNormal)] : raised
}

/** RISK-26: 'All Systems Normal' only if orders are checked and accepted; otherwise only its sentence about the metrics. */
function normalAlert(isNotNormal: boolean): RiskAlert {
  const { normal } = copy.alerts
  return isNotNormal ? { tone: 'calm', title: normal.text } : { tone: 'good', ...normal }
}
