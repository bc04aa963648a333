import type { StoredRiskLimits } from '@binnacle/contract'
import { useIsLive } from '#data/capabilities.ts'
import { formatExactMoney, formatMoney, formatQuantity } from '#format/money.ts'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { copy } from './copy.ts'
import { isStored, LIMIT_NAMES, limitsInForce } from './limits.ts'

export interface LimitsViewProps {
  stored: StoredRiskLimits | undefined
  /** RISK-42: the limits in force are unknown, so none are shown. */
  isUnknown: boolean
}

export function LimitsView({ stored, isUnknown }: LimitsViewProps) {
  const limits = limitsInForce(stored)
  const format = useIsLive() ? formatExactMoney : formatMoney
  if (isUnknown) {
    return (
      <Figures columns={2}>
        {LIMIT_NAMES.map((name) => (
          <Figure
            key={name}
            label={copy.limits.fields[name]}
            value={copy.unknown}
            note={copy.limits.notLoaded}
          />
        ))}
      </Figures>
    )
  }
  return (
    <Figures columns={2}>
      {LIMIT_NAMES.map((name) => (
        <Figure
          key={name}
          label={copy.limits.fields[name]}
          value={name === 'max_positions' ? formatQuantity(limits[name]) : format(limits[name])}
          note={isStored(stored, name) ? undefined : copy.limits.isDefault}
        />
      ))}
    </Figures>
  )
}
