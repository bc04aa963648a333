import type { Instrument } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { formatVenue } from '#format/venue.ts'
import type { Suggestion } from '#ui/control/field.tsx'
import { copy } from './copy.ts'

/** ORD-17: each instrument with its venue and kind. */
export function suggestionsOf(instruments: readonly Instrument[]): Suggestion[] {
  return instruments.map((instrument) => ({ value: instrument.id, note: formatVenue(instrument) }))
}

/** Texts below the fields; empty if the backend lists no instruments. */
export type OrderHints = Readonly<Partial<Record<'instrument' | 'quantity' | 'price', string>>>

/** ORD-17: minimum quantity and steps of the chosen instrument. */
export function orderHints(instruments: readonly Instrument[], known: Instrument | undefined): OrderHints {
  if (instruments.length === 0) return {}
  if (known === undefined) return { ...BLANK, instrument: copy.dialog.notListed }
  const { lot_size: lot, min_quantity: minimum = lot, tick_size: tick } = known
  return {
    ...BLANK,
    instrument: formatVenue(known) || BLANK.instrument,
    ...(lot !== undefined &&
      minimum !== undefined && {
        quantity: copy.dialog.quantityHint(formatQuantity(minimum), formatQuantity(lot)),
      }),
    ...(tick !== undefined && { price: copy.dialog.priceHint(formatQuantity(tick)) }),
  }
}

/** A non-breaking space keeps the line's height, so that the form does not move while typing. */
const EMPTY_LINE = '\u00A0'
const BLANK = { instrument: EMPTY_LINE, quantity: EMPTY_LINE, price: EMPTY_LINE }
