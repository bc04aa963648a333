import {
  INTERVAL_MS,
  type Instrument,
  type InstrumentId,
  type Instruments,
  idFrom,
  type OwnOrder,
  type Settings,
} from '@binnacle/engine'
import type { InstrumentSpec, OrderSnapshot } from '#child/protocol.ts'

/** The settings a custom strategy runs with. */
export interface CustomTerms {
  readonly module: string
  readonly instruments: readonly InstrumentSpec[]
  readonly intervalMs: number
  readonly parameters: Readonly<Record<string, unknown>>
}

export function readTerms(settings: Settings, instruments: Instruments): CustomTerms {
  return {
    module: settings.text('module'),
    instruments: settings.list('instruments').map((name) => specOf(instruments.get(idFrom(name)))),
    intervalMs: INTERVAL_MS[settings.interval('interval')],
    parameters: settings.json('parameters'),
  }
}

/** Returns what a module sees of its orders; one from earlier settings may be of an instrument that is not traded any more. */
export function snapshotOrders(
  orders: readonly OwnOrder[],
  instruments: readonly InstrumentId[],
): OrderSnapshot[] {
  return orders.flatMap(({ id, terms, price, quantity, filled }) => {
    const slot = instruments.indexOf(terms.instrument)
    return slot < 0 ? [] : [{ id, slot, side: terms.side, price, quantity, filled }]
  })
}

function specOf({ id, venue, base, quote, tick, lot, minQuantity }: Instrument): InstrumentSpec {
  const sizes = { tickUnits: tick.unitCount, lotUnits: lot.unitCount, minLots: minQuantity }
  return { id, venue, base, quote, ...sizes }
}
