import type { HardState } from '#hard-state.ts'
import type { Instrument } from '#market/instrument.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import type { Side } from '#market/tick.ts'
import type { Order } from '#orders/order.ts'
import { type BookKey, bookKey } from '#positions/position.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import type { Intent } from './intent.ts'
import type { OrderWish, OwnOrder, StrategyDesk } from './strategy.ts'

/** What a desk for a strategy is made over. */
export interface DeskSources {
  readonly state: HardState
  readonly instruments: Instruments
  readonly marks: Marks
}

const MOST_NOTED = 64

/** The desk as one strategy is shown it. Reading allocates nothing; what is wanted waits in `intents`. */
export class DeskFor implements StrategyDesk {
  readonly strategy: StrategyId
  readonly intents: Intent[] = []
  readonly #sources: DeskSources
  readonly #instruments: readonly Instrument[]
  readonly #indices: readonly number[]
  readonly #keys: readonly BookKey[]
  /** Its orders that may still work; those that no longer do leave when they are asked for. */
  #own: Order[]
  now = 0
  isLive = false

  constructor(sources: DeskSources, strategy: StrategyId, traded: readonly InstrumentId[]) {
    this.#sources = sources
    this.strategy = strategy
    this.#instruments = traded.map((id) => sources.instruments.get(id))
    this.#indices = traded.map((id) => sources.instruments.indexOf(id))
    this.#keys = traded.map((id) => bookKey(strategy, id))
    this.#own = [...sources.state.orders.working.values()].filter(({ terms }) => terms.strategy === strategy)
  }

  bid(slot: number): number {
    return this.#sources.marks.bid[this.#indices[slot] ?? -1] ?? 0
  }

  ask(slot: number): number {
    return this.#sources.marks.ask[this.#indices[slot] ?? -1] ?? 0
  }

  quotedAt(slot: number): number {
    return this.#sources.marks.at[this.#indices[slot] ?? -1] ?? 0
  }

  position(slot: number): number {
    return this.#sources.state.positions.open.get(this.#keyOf(slot))?.quantity ?? 0
  }

  working(slot: number): number {
    const lots = this.#sources.state.orders.totals.get(this.#keyOf(slot))?.lots
    return lots === undefined ? 0 : lots.BUY - lots.SELL
  }

  orders(): readonly OwnOrder[] {
    const { working } = this.#sources.state.orders
    for (const order of this.#own) {
      if (working.has(order.id)) continue
      this.#own = this.#own.filter(({ id }) => working.has(id))
      break
    }
    return this.#own
  }

  lotsFor(slot: number, value: number): number {
    const instrument = this.instrumentOf(slot)
    const perLot = ((this.bid(slot) + this.ask(slot)) / 2) * (Number(instrument.tickLotValue) / 1e8)
    if (perLot === 0) return 0
    const lots = Math.floor(value / perLot)
    return lots < instrument.minQuantity ? 0 : lots
  }

  place(slot: number, side: Side, lots: number, wish: OrderWish): void {
    const { minQuantity, lot, tick, id } = this.instrumentOf(slot)
    refuseUnless(
      isWhole(lots, minQuantity, lot.maxSteps),
      `an order for ${lots} lots of ${id} makes no sense`,
    )
    const { price } = wish
    refuseUnless(
      price === null || isWhole(price, 1, tick.maxSteps),
      `a price of ${price} ticks makes no sense`,
    )
    this.#want({ type: 'place', slot, side, lots, wish })
  }

  cancel(orderId: OrderId): void {
    this.#want({ type: 'cancel', orderId })
  }

  target(slot: number, lots: number): void {
    const { lot, id } = this.instrumentOf(slot)
    refuseUnless(isWhole(Math.abs(lots), 0, lot.maxSteps), `holding ${lots} lots of ${id} makes no sense`)
    this.#want({ type: 'target', slot, lots })
  }

  instrumentOf(slot: number): Instrument {
    const instrument = this.#instruments[slot]
    if (instrument === undefined) throw new RangeError(`there is no slot ${slot}`)
    return instrument
  }

  /** Takes note of an order that was placed for it. */
  noteOrder(order: Order): void {
    // A strategy that never asks would else remember every order it ever placed.
    if (this.#own.length >= MOST_NOTED) this.orders()
    this.#own.push(order)
  }

  #keyOf(slot: number): BookKey {
    const key = this.#keys[slot]
    if (key === undefined) throw new RangeError(`there is no slot ${slot}`)
    return key
  }

  /** The past is told to learn from, not to trade on. */
  #want(intent: Intent): void {
    if (this.isLive) this.intents.push(intent)
  }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}

/** A strategy that wants nonsense is stopped with this sentence. */
function refuseUnless(makesSense: boolean, otherwise: string): void {
  if (!makesSense) throw new RangeError(otherwise)
}
