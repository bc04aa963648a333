import { type Price, priceToNumber } from '#values/price.ts'
import type { Instrument } from './instrument.ts'
import type { StopPastMarket } from './reasons.ts'
import type { Side } from './tick.ts'

interface Touch {
  readonly bid: Price
  readonly ask: Price
}

/** Returns whether the market has reached a stop: the bid for a sell stop, the ask for a buy stop. */
export function isStopReached(side: Side, price: Price, { bid, ask }: Touch): boolean {
  return side === 'BUY' ? ask >= price : bid <= price
}

/** Describes a stop that would trigger on arrival, with the price it is on the wrong side of. */
export function describeStop(instrument: Instrument, side: Side, stop: Price, touch: Touch): StopPastMarket {
  const market = priceToNumber(side === 'BUY' ? touch.ask : touch.bid, instrument.tick)
  return { code: 'stop.past-market', side, price: priceToNumber(stop, instrument.tick), market }
}
