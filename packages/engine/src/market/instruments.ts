import type { Instrument, InstrumentKind, VenueId } from '#model/instrument.ts'
import { createInstrument, VENUE_IDS } from '#model/instrument.ts'
import { assert } from '#values/bug.ts'
import type { InstrumentId } from '#values/ids.ts'

/** The instruments of an engine, each with a dense index for soft state. */
export interface Instruments {
  readonly all: readonly Instrument[]
  /** Accepts `BTCUSDT`, `BTCUSDT.BYBIT` and the primary venue's long form `BTCUSDT.BINANCE`. */
  find(name: string): Instrument | undefined
  /** Returns the instrument of an id that is known to exist. */
  get(id: InstrumentId): Instrument
  /** Returns the index of an instrument, or -1. */
  indexOf(id: InstrumentId): number
}

/** Creates the lookup over a list of instruments. */
export function createInstruments(list: readonly Instrument[]): Instruments {
  return new ListedInstruments(list)
}

class ListedInstruments implements Instruments {
  readonly all: readonly Instrument[]
  readonly #indexById: ReadonlyMap<string, number>
  readonly #byName: ReadonlyMap<string, Instrument>
  // Most lookups repeat the last one.
  #lastId: InstrumentId | null = null
  #lastIndex = -1

  constructor(list: readonly Instrument[]) {
    this.all = list
    this.#indexById = new Map(list.map((instrument, index) => [instrument.id, index]))
    this.#byName = new Map(
      list.flatMap((instrument) => namesOf(instrument).map((name) => [name, instrument])),
    )
    assert(this.#indexById.size === list.length, 'two instruments share an id')
  }

  find(name: string): Instrument | undefined {
    return this.#byName.get(name)
  }

  get(id: InstrumentId): Instrument {
    const instrument = this.all[this.indexOf(id)] ?? this.#byName.get(id)
    assert(instrument !== undefined, 'no instrument', id)
    return instrument
  }

  indexOf(id: InstrumentId): number {
    if (id === this.#lastId) return this.#lastIndex
    this.#lastId = id
    this.#lastIndex = this.#indexById.get(id) ?? -1
    return this.#lastIndex
  }
}

/** Returns the instruments of the embedded engine: spot on five venues, perpetuals on the three crypto venues. */
export function standardInstruments(): Instruments {
  return createInstruments(
    PAIRS.flatMap((pair) =>
      (['SPOT', 'PERPETUAL'] as const).flatMap((kind) =>
        VENUE_IDS.filter((venue) => isListed(pair.base, kind, venue)).map((venue) =>
          createInstrument({ ...pair, ...CHARGES[venue][kind], quote: 'USDT', venue, kind }),
        ),
      ),
    ),
  )
}

const PAIRS = [
  { base: 'BTC', tick: '0.01', lot: '0.00001', minLots: 10, maxPrice: '9000000', maxQuantity: '9000' },
  { base: 'ETH', tick: '0.01', lot: '0.0001', minLots: 10, maxPrice: '900000', maxQuantity: '90000' },
  { base: 'SOL', tick: '0.01', lot: '0.001', minLots: 10, maxPrice: '90000', maxQuantity: '900000' },
]

interface Charges {
  makerFeePpm: number
  takerFeePpm: number
  marginRatePpm: number
}

const CASH = 1_000_000
const PERPETUAL_MARGIN_PPM = 100_000

// Millionths of the traded value, near the venues' published fees for a busy account.
const CHARGES: Record<VenueId, Record<InstrumentKind, Charges>> = {
  BINANCE: chargesOf([200, 400], [100, 300]),
  BYBIT: chargesOf([200, 450], [100, 350]),
  OKX: chargesOf([200, 450], [100, 350]),
  COINBASE: chargesOf([400, 600], [400, 600]),
  INTERACTIVE_BROKERS: chargesOf([1200, 1800], [1200, 1800]),
}

function chargesOf(spot: [number, number], perpetual: [number, number]): Record<InstrumentKind, Charges> {
  return {
    SPOT: { makerFeePpm: spot[0], takerFeePpm: spot[1], marginRatePpm: CASH },
    PERPETUAL: { makerFeePpm: perpetual[0], takerFeePpm: perpetual[1], marginRatePpm: PERPETUAL_MARGIN_PPM },
  }
}

function isListed(base: string, kind: InstrumentKind, venue: VenueId): boolean {
  if (venue === 'INTERACTIVE_BROKERS') return kind === 'SPOT' && base !== 'SOL'
  return kind === 'SPOT' || venue !== 'COINBASE'
}

function namesOf(instrument: Instrument): string[] {
  return [instrument.id, `${instrument.symbol}.${instrument.venue}`]
}
