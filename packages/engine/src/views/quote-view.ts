import type { Instruments } from '#market/instruments.ts'
import { type Marks, quoteAt } from '#market/marks.ts'
import type { InstrumentId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { priceToNumber } from '#values/price.ts'

/** The best bid and ask of an instrument, in decimals. */
export interface QuoteView {
  readonly instrument: InstrumentId
  readonly bid: number
  readonly ask: number
  readonly at: Instant
}

/** Returns the latest quotes; an instrument without one is missing. */
export function viewQuotes(marks: Marks, instruments: Instruments): QuoteView[] {
  return instruments.all.flatMap(({ id: instrument, tick }, index) => {
    const quote = quoteAt(marks, index)
    if (quote === null) return []
    return {
      instrument,
      bid: priceToNumber(quote.bid, tick),
      ask: priceToNumber(quote.ask, tick),
      at: quote.at,
    }
  })
}
