import type { RiskLimits, RiskMetrics } from '@binnacle/contract'
import { percentOf } from '#format/percent.ts'
import type { Tone } from '#ui/look/tone.ts'

/** RISK-17: critical above this, not at it. */
export const CRITICAL_EXPOSURE_PERCENT = 90

/** RISK-4 */
export function exposurePercent(
  { total_exposure }: Pick<RiskMetrics, 'total_exposure'>,
  { max_position_size }: Pick<RiskLimits, 'max_position_size'>,
): number {
  return percentOf(total_exposure, max_position_size)
}

/** RISK-5 */
export function marginPercent({
  margin_used,
  margin_available,
}: Pick<RiskMetrics, 'margin_used' | 'margin_available'>): number {
  return percentOf(margin_used, margin_used + margin_available)
}

/** Not specified; red together with the alert of RISK-17. */
export function toneOfExposure(percent: number): Tone {
  return percent > CRITICAL_EXPOSURE_PERCENT ? 'bad' : 'info'
}
