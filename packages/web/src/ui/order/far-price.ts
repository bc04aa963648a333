import { percentOf } from '#format/percent.ts'

/** ORD-95, ORD-101: a price so far away is usually a slip of a digit. */
const FAR_PERCENT = 20

/** How far a price is from the market, in percent of the market's. */
export function distanceFrom(market: number, price: number): number {
  return percentOf(Math.abs(price - market), market)
}

export function isFar(distancePercent: number): boolean {
  return distancePercent > FAR_PERCENT
}
