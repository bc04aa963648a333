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

/** RISK-15 to RISK-19: each alert has its own condition, so several can show together, and none at all. */
export function alertsFor(metrics: RiskMetrics, limits: RiskLimits, isTradingHeld = false): RiskAlert[] {
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
    [margin < NORMAL_BELOW_PERCENT && exposure < NORMAL_BELOW_PERCENT, normality(isTradingHeld)],
  ]
  return rules.filter(([applies]) => applies).map(([, alert]) => alert)
}

/** RISK-26: not all is normal while orders are held back or a component refuses them, but what was measured still is. */
function normality(isTradingHeld: boolean): RiskAlert {
  const { normal } = copy.alerts
  return isTradingHeld ? { tone: 'calm', title: normal.text } : { tone: 'good', ...normal }
}
