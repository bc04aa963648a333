import type { Component, EngineInfo, RiskMetrics } from '@binnacle/contract'
import { formatMoney } from '#format/money.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { countOnline } from './components-online.ts'
import { copy } from './copy.ts'

export interface EngineCardProps {
  isLoading: boolean
  engine: EngineInfo | undefined
  /** The last three figures come from other calls, without which the card stands too. */
  components: readonly Component[] | undefined
  metrics: RiskMetrics | undefined
}

export function EngineCard({ isLoading, engine, components, metrics }: EngineCardProps) {
  const { engine: words, unknown } = copy
  if (isLoading) {
    return (
      <Card title={words.title}>
        <Loading bare text={words.loading} />
      </Card>
    )
  }
  return (
    <Card title={words.title} {...(engine && { actions: <LiveBadge isRunning={engine.is_running} /> })}>
      <Figures>
        <Figure label={words.traderId} value={engine?.trader_id ?? unknown} />
        <Figure label={words.engineType} value={engine?.engine_type ?? unknown} />
        <Figure label={words.status} value={engine?.status ?? unknown} />
        <Figure label={words.strategies} value={engine?.strategies_count ?? unknown} />
        <Figure
          label={words.componentsOnline}
          value={components ? countOnline(components) : unknown}
          note={components && words.ofAll(components.length)}
        />
        <Figure label={words.openPositions} value={metrics?.position_count ?? unknown} />
        <Figure label={words.totalExposure} value={metrics ? formatMoney(metrics.total_exposure) : unknown} />
      </Figures>
    </Card>
  )
}

/** TRD-2. Without an answer there is no badge: an engine that cannot be asked need not have stopped. */
function LiveBadge({ isRunning }: { isRunning: boolean }) {
  return (
    <Badge tone={isRunning ? 'good' : 'bad'} dot>
      {isRunning ? copy.engine.live : copy.engine.stopped}
    </Badge>
  )
}
