import { formatGain, roundToZero } from '#format/money.ts'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import type { PositionSummary } from './position-summary.ts'

export interface SummaryCardsProps {
  summary: PositionSummary
  isLive: boolean
}

export function SummaryCards({ summary: { open, totalPnl, long, short }, isLive }: SummaryCardsProps) {
  const gain = isLive ? roundToZero(totalPnl) : totalPnl
  return (
    <StatCards>
      <Figure label={copy.summary.open} value={open} />
      <Figure label={copy.summary.totalPnl} value={formatGain(gain)} tone={toneOfGain(gain, isLive)} />
      <Figure label={copy.summary.long} value={long} />
      <Figure label={copy.summary.short} value={short} />
    </StatCards>
  )
}
