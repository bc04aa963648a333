import type { Instrument } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { formatVenue } from '#format/venue.ts'
import type { Suggestion } from '#ui/control/field.tsx'
import { copy } from './copy.ts'

/** ORD-17: each instrument with what tells it from those of like name. */
export function suggestionsOf(instruments: readonly Instrument[]): Suggestion[] {
  return instruments.map((instrument) => ({ value: instrument.id, note: formatVenue(instrument) }))
}

/** What stands below the fields; nothing where the backend tells nothing. */
export type OrderHints = Readonly<Partial<Record<'instrument' | 'quantity' | 'price', string>>>

/** ORD-17: what the venue takes, of the instrument that stands there. */
export function hintsOn(instruments: readonly Instrument[], id: string): OrderHints {
  if (instruments.length === 0) return {}
  const known = instruments.find((instrument) => instrument.id === id)
  if (known === undefined) return { ...BLANK, instrument: copy.dialog.notListed }
  const { lot_size: lot, min_quantity: least = lot, tick_size: tick } = known
  return {
    ...BLANK,
    instrument: formatVenue(known) || BLANK.instrument,
    ...(lot !== undefined &&
      least !== undefined && {
        quantity: copy.dialog.quantityHint(formatQuantity(least), formatQuantity(lot)),
      }),
    ...(tick !== undefined && { price: copy.dialog.priceHint(formatQuantity(tick)) }),
  }
}

/** Keeps the line, so that the form does not move under whoever types. */
const LINE = '\u00A0'
const BLANK = { instrument: LINE, quantity: LINE, price: LINE }
