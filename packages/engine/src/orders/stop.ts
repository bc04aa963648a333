import type { Instrument } from '#market/instrument.ts'
import type { Side } from '#market/tick.ts'
import { type Price, priceToNumber } from '#values/price.ts'
import type { StopPastMarket } from './reasons.ts'

interface Touch {
  readonly bid: Price
  readonly ask: Price
}

/** Says whether the market has come to a stop: the bid to one that sells, the ask to one that buys. */
export function isStopReached(side: Side, price: Price, { bid, ask }: Touch): boolean {
  return side === 'BUY' ? ask >= price : bid <= price
}

/** Tells a stop that would fire on arrival, beside the price that it is on the wrong side of. */
export function describeStop(instrument: Instrument, side: Side, stop: Price, touch: Touch): StopPastMarket {
  const market = priceToNumber(side === 'BUY' ? touch.ask : touch.bid, instrument.tick)
  return { code: 'stop.past-market', side, price: priceToNumber(stop, instrument.tick), market }
}
