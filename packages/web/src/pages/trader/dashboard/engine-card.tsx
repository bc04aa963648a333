import type { Component, EngineInfo, RiskMetrics } from '@binnacle/contract'
import { isRunningStatus } from '#data/engine.ts'
import { formatMoney } from '#format/money.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Figure, Figures } from '#ui/figure/figures.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'

export interface EngineCardProps {
  isLoading: boolean
  engine: EngineInfo | undefined
  /** From other calls; the card shows dashes without them. */
  components: readonly Component[] | undefined
  metrics: RiskMetrics | undefined
  /** In the side column: two figures in a row. */
  isNarrow: boolean
}

export function EngineCard({ isLoading, engine, components, metrics, isNarrow }: EngineCardProps) {
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
      <Figures columns={isNarrow ? 2 : 4}>
        <Figure label={words.traderId} value={engine?.trader_id ?? unknown} />
        <Figure label={words.engineType} value={engine ? engineTypeText(engine) : unknown} />
        <Figure label={words.status} value={engine ? statusText(engine) : unknown} />
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

/** 'embedded' is the engine of our own server; any other value is shown as sent. */
function isEmbedded({ engine_type }: EngineInfo): boolean {
  return engine_type === 'embedded'
}

function engineTypeText(engine: EngineInfo): string {
  return isEmbedded(engine) ? copy.engine.embedded : engine.engine_type
}

function statusText(engine: EngineInfo): string {
  const { status } = engine
  return isEmbedded(engine) ? status.charAt(0).toUpperCase() + status.slice(1) : status
}

/** TRD-2: no badge while the engine's state is unknown. */
function LiveBadge({ isRunning }: { isRunning: boolean }) {
  return (
    <Badge tone={isRunning ? 'good' : 'bad'} dot>
      {isRunning ? copy.engine.live : copy.engine.stopped}
    </Badge>
  )
}

/** TRD-4 */
export function countOnline(components: readonly Component[]): number {
  return components.filter(({ status }) => isRunningStatus(status)).length
}
