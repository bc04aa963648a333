import { useBestPrices } from '#data/live-market.ts'
import type { PreviewState } from '#data/order-preview.ts'
import { useNow } from '#state/now.ts'
import { OrderPreview } from '#ui/order/order-preview.tsx'
import { quoteFreshness } from './quote-figures.ts'

export interface TicketPreviewProps {
  instrument: string
  tick: number
  state: PreviewState
}

/** MKT-550: with the bid and ask of Depth, which are newer than those of a preview that is polled. */
export function TicketPreview({ instrument, tick, state }: TicketPreviewProps) {
  const best = useBestPrices(instrument)
  const now = useNow()
  const { preview, isOutdated, problem } = state
  const oldSince = best ? quoteFreshness(best, undefined, now).asOf : state.quoteAsOfMs
  return (
    <OrderPreview
      preview={preview}
      isOutdated={isOutdated}
      problem={problem}
      quote={best}
      quoteAsOfMs={oldSince}
      tick={tick}
    />
  )
}
