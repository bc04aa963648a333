import type { RiskMetrics } from '@binnacle/contract'
import { formatMoney } from '#format/money.ts'
import { formatDrawdown } from '#format/percent.ts'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'

export interface RiskCardProps {
  isLoading: boolean
  metrics: RiskMetrics | undefined
}

export function RiskCard({ isLoading, metrics }: RiskCardProps) {
  const { risk: words } = copy
  return (
    <Card title={words.title}>
      {isLoading ? (
        <Loading bare text={words.loading} />
      ) : (
        <Figures columns={3}>
          <Figure label={words.totalExposure} value={money(metrics?.total_exposure)} />
          <Figure label={words.marginUsed} value={money(metrics?.margin_used)} />
          <Figure label={words.availableMargin} value={money(metrics?.margin_available)} />
          <Figure
            label={words.maxDrawdown}
            value={metrics ? formatDrawdown(metrics.max_drawdown) : copy.unknown}
          />
          <Figure label={words.valueAtRisk} value={money(metrics?.var_1d)} />
          <Figure label={words.positionCount} value={metrics?.position_count ?? copy.unknown} />
        </Figures>
      )}
    </Card>
  )
}

function money(amount: number | null | undefined): string {
  return typeof amount === 'number' ? formatMoney(amount) : copy.unknown
}
