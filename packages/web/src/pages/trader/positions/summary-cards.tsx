import { formatGain } from '#format/money.ts'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import type { PositionSummary } from './position-summary.ts'

export interface SummaryCardsProps {
  summary: PositionSummary
}

export function SummaryCards({ summary: { open, totalPnl, long, short } }: SummaryCardsProps) {
  return (
    <StatCards>
      <Figure label={copy.summary.open} value={open} />
      <Figure label={copy.summary.totalPnl} value={formatGain(totalPnl)} tone={toneOfGain(totalPnl)} />
      <Figure label={copy.summary.long} value={long} />
      <Figure label={copy.summary.short} value={short} />
    </StatCards>
  )
}
