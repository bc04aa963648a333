import type { Instruments } from '#market/instruments.ts'
import type { Marks } from '#market/marks.ts'
import type { Instrument } from '#model/instrument.ts'
import type { Order } from '#model/order.ts'
import { isWorking } from '#model/order-life.ts'
import { type PositionKey, positionKey } from '#model/position.ts'
import type { Intent, OrderOptions } from '#model/strategy.ts'
import type { Side } from '#model/tick.ts'
import type { HardState } from '#state/hard-state.ts'
import type { OwnOrder, StrategyContext } from '#strategies/strategy.ts'
import type { InstrumentId, OrderId, StrategyId } from '#values/ids.ts'
import { moneyToNumber } from '#values/money.ts'
import { ReusedList } from '#values/reused-list.ts'
import { withItem } from '#values/small-list.ts'

/** What a strategy's context reads from. */
export interface ContextSources {
  readonly state: HardState
  readonly instruments: Instruments
  readonly marks: Marks
}

const MAX_OWN_ORDERS = 64

/** The engine's context for one strategy. Reading allocates nothing; intents wait in `intents`. */
export class EngineStrategyContext implements StrategyContext {
  readonly strategy: StrategyId
  readonly intents = new ReusedList<Intent>()
  readonly #sources: ContextSources
  readonly #instruments: readonly Instrument[]
  readonly #indices: readonly number[]
  readonly #tickLotValues: readonly number[]
  readonly #keys: readonly PositionKey[]
  /** Its orders that may still work; finished ones are removed on reading. */
  #own: Order[]
  now = 0
  isLive = false

  constructor(sources: ContextSources, strategy: StrategyId, traded: readonly InstrumentId[]) {
    this.#sources = sources
    this.strategy = strategy
    this.#instruments = traded.map((id) => sources.instruments.get(id))
    this.#indices = traded.map((id) => sources.instruments.indexOf(id))
    this.#tickLotValues = this.#instruments.map(({ tickLotValue }) => moneyToNumber(tickLotValue))
    this.#keys = traded.map((id) => positionKey(strategy, id))
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
    const total = this.#sources.state.orders.totals.get(this.#keyOf(slot))
    return total === undefined ? 0 : total.buyLots - total.sellLots
  }

  orders(): readonly OwnOrder[] {
    for (const order of this.#own) {
      if (isWorking(order.state)) continue
      this.#own = this.#stillWorking()
      break
    }
    return this.#own
  }

  lotsFor(slot: number, value: number): number {
    const instrument = this.instrumentOf(slot)
    const perLot = ((this.bid(slot) + this.ask(slot)) / 2) * (this.#tickLotValues[slot] ?? 0)
    if (perLot === 0) return 0
    const lots = Math.floor(value / perLot)
    return lots < instrument.minQuantity ? 0 : lots
  }

  /** A strategy with an invalid intent is stopped with the message of the error. */
  place(slot: number, side: Side, lots: number, options: OrderOptions): void {
    const { minQuantity, lot, tick, id } = this.instrumentOf(slot)
    if (!isWhole(lots, minQuantity, lot.maxCount))
      throw new RangeError(`invalid order quantity: ${lots} lots of ${id}`)
    const { price } = options
    if (price !== null && !isWhole(price, 1, tick.maxCount))
      throw new RangeError(`invalid order price: ${price} ticks`)
    this.#addIntent({ type: 'place', slot, side, lots, options })
  }

  cancel(orderId: OrderId): void {
    this.#addIntent({ type: 'cancel', orderId })
  }

  target(slot: number, lots: number): void {
    const { lot, id } = this.instrumentOf(slot)
    if (!isWhole(Math.abs(lots), 0, lot.maxCount))
      throw new RangeError(`invalid target: ${lots} lots of ${id}`)
    this.#addIntent({ type: 'target', slot, lots })
  }

  instrumentOf(slot: number): Instrument {
    const instrument = this.#instruments[slot]
    if (instrument === undefined) throw new RangeError(`there is no slot ${slot}`)
    return instrument
  }

  /** Records an order placed for the strategy. */
  addOrder(order: Order): void {
    // A strategy that never reads its orders would otherwise keep all of them.
    if (this.#own.length >= MAX_OWN_ORDERS) this.orders()
    this.#own = withItem(this.#own, order)
  }

  /** Mostly one is left or none, for which a filter allocates more than it needs. */
  #stillWorking(): Order[] {
    let last: Order | null = null
    let count = 0
    for (const order of this.#own) {
      if (!isWorking(order.state)) continue
      last = order
      count += 1
    }
    if (last === null) return []
    return count === 1 ? [last] : this.#own.filter(({ state }) => isWorking(state))
  }

  #keyOf(slot: number): PositionKey {
    const key = this.#keys[slot]
    if (key === undefined) throw new RangeError(`there is no slot ${slot}`)
    return key
  }

  /** Intents during warm-up are dropped. */
  #addIntent(intent: Intent): void {
    if (this.isLive) this.intents.push(intent)
  }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}
