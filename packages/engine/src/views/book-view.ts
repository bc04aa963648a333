import { depthOf } from '#market/depth.ts'
import type { Instruments } from '#market/instruments.ts'
import { type Marks, quoteAt } from '#market/marks.ts'
import { remainingOf } from '#model/order.ts'
import type { Side } from '#model/tick.ts'
import type { OrderRegister } from '#state/order-register.ts'
import type { InstrumentId } from '#values/ids.ts'
import type { Instant } from '#values/instant.ts'
import { type Price, priceToNumber } from '#values/price.ts'
import { type Quantity, quantityFromLots, quantityToNumber } from '#values/quantity.ts'

/** The price levels of an instrument, best first, in decimals. */
export interface BookView {
  readonly instrument: InstrumentId
  readonly bids: readonly LevelView[]
  readonly asks: readonly LevelView[]
  readonly at: Instant
}

interface LevelView {
  readonly price: number
  readonly quantity: number
}

interface BookContext {
  readonly marks: Marks
  readonly instruments: Instruments
  readonly orders: OrderRegister
}

const LEVELS_SHOWN = 20

/** Returns the levels behind the quote with our resting orders among them; null before the first quote. */
export function viewBook(context: BookContext, instrument: InstrumentId): BookView | null {
  const { marks, instruments } = context
  const index = instruments.indexOf(instrument)
  const quote = quoteAt(marks, index)
  if (quote === null) return null
  const bidSize = quantityFromLots(marks.bidSize[index] ?? 0)
  const askSize = quantityFromLots(marks.askSize[index] ?? 0)
  const { tick, lot } = instruments.get(instrument)
  const levels = (side: Side) =>
    levelsOf({ ...quote, bidSize, askSize }, side, restingOrders(context.orders, instrument, side)).map(
      ([at, lots]) => ({
        price: priceToNumber(at, tick),
        quantity: quantityToNumber(quantityFromLots(lots), lot),
      }),
    )
  return { instrument, bids: levels('BUY'), asks: levels('SELL'), at: quote.at }
}

type Level = readonly [at: Price, lots: number]

function levelsOf(top: Parameters<typeof depthOf>[0], side: Side, own: readonly Level[]): Level[] {
  const lots = new Map<Price, number>(depthOf(top, side).map(({ price, size }) => [price, size]))
  // An order that reaches the other side is about to match; a book is never crossed.
  const canRest = (at: Price) => (side === 'BUY' ? at < top.ask : at > top.bid)
  for (const [at, left] of own) if (canRest(at)) lots.set(at, (lots.get(at) ?? 0) + left)
  const direction = side === 'BUY' ? -1 : 1
  return [...lots].sort(([one], [other]) => direction * (one - other)).slice(0, LEVELS_SHOWN)
}

function restingOrders(orders: OrderRegister, instrument: InstrumentId, side: Side): [Price, Quantity][] {
  const resting: [Price, Quantity][] = []
  for (const order of orders.working.values()) {
    const { terms, price } = order
    if (terms.instrument !== instrument || terms.side !== side || terms.type !== 'LIMIT') continue
    if (price !== null) resting.push([price, remainingOf(order)])
  }
  return resting
}
