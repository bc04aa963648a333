import {
  createInstrument,
  createInstruments,
  type Instrument,
  type Instruments,
  idFrom,
  type VenueId,
} from '@binnacle/engine'
import type { Row } from './protocol.ts'

/** The instruments of a node, under the node's ids; a symbol without a venue means the first that has it. */
export function createNodeInstruments(rows: readonly Row<'instruments'>[]): Instruments {
  const all = rows.map(instrumentOf).sort((one, other) => (one.id < other.id ? -1 : 1))
  const instruments = createInstruments(all)
  return {
    all,
    get: (id) => instruments.get(id),
    indexOf: (id) => instruments.indexOf(id),
    find: (name) => instruments.find(name) ?? all.find(({ symbol }) => symbol === name),
  }
}

/** A node has venues of its own; rows and messages only print and compare them. */
export function venueIdOf(name: string): VenueId {
  // See above: no table of the embedded engine's venues is read with it.
  return name as VenueId
}

// Beyond any order that risk lets through; both convert exactly at the finest steps of a node.
const MAX_PRICE = '9000000'
const MAX_QUANTITY = '900000'

function instrumentOf(row: Row<'instruments'>): Instrument {
  const instrument = createInstrument({
    base: row.base,
    quote: row.quote,
    venue: venueIdOf(row.venue),
    kind: row.kind,
    tick: row.tick,
    lot: row.lot,
    maxPrice: row.max_price ?? MAX_PRICE,
    maxQuantity: row.max_quantity ?? MAX_QUANTITY,
    minLots: Math.max(1, Math.round(Number(row.min_quantity) / Number(row.lot))),
    makerFeePpm: ppm(row.maker_fee),
    takerFeePpm: ppm(row.taker_fee),
    marginRatePpm: ppm(row.margin_rate),
  })
  return { ...instrument, id: idFrom(row.id), symbol: row.symbol }
}

function ppm(share: string): number {
  return Math.round(Number(share) * 1_000_000)
}
