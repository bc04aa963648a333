import type { Side } from '#model/tick.ts'
import { type Price, priceFromTicks } from '#values/price.ts'
import { type Quantity, quantityFromLots } from '#values/quantity.ts'

export interface DepthLevel {
  readonly price: Price
  readonly size: Quantity
}

export interface TopOfBook {
  readonly bid: Price
  readonly ask: Price
  readonly bidSize: Quantity
  readonly askSize: Quantity
}

export const DEPTH_LEVELS = 10

/**
 * Returns the levels behind a quote, best first: a quote has only the top, and a large order must still pay for walking
 * the book. Sizes depend on the price alone, so the same quote has the same book.
 */
export function depthOf(top: TopOfBook, side: Side): DepthLevel[] {
  const levels: DepthLevel[] = []
  for (let level = 0; level < DEPTH_LEVELS; level++) {
    const ticks = depthPrice(top, side, level)
    if (ticks < 1) break
    levels.push({ price: priceFromTicks(ticks), size: quantityFromLots(depthSize(top, side, level)) })
  }
  return levels
}

/** Returns the price of a level, 0 being the best; there is no level below one tick. */
export function depthPrice(top: TopOfBook, side: Side, level: number): number {
  const gap = depthGap(top)
  return side === 'BUY' ? top.bid - gap * level : top.ask + gap * level
}

/** Returns the lots at a price; 0 where there is no level. */
export function depthSizeAt(top: TopOfBook, side: Side, ticks: number): number {
  const gap = depthGap(top)
  const behind = side === 'BUY' ? top.bid - ticks : ticks - top.ask
  const level = behind / gap
  if (behind < 0 || !Number.isInteger(level) || level >= DEPTH_LEVELS) return 0
  return depthSize(top, side, level)
}

/** Returns the lots at a level. */
export function depthSize(top: TopOfBook, side: Side, level: number): number {
  const bestSize = side === 'BUY' ? top.bidSize : top.askSize
  return sizeAt(bestSize, level, depthPrice(top, side, level))
}

function sizeAt(bestSize: number, level: number, ticks: number): number {
  if (level === 0) return bestSize
  const growth = 1 + 0.35 * level
  return Math.max(1, Math.round(bestSize * growth * (0.6 + 0.8 * noise(ticks))))
}

function depthGap({ ask, bid }: TopOfBook): number {
  return Math.max(1, Math.round((ask - bid) / 2))
}

/** Hashes integers evenly to 0 to 1 (the mixer of Murmur3). */
function noise(ticks: number): number {
  let mixed = Math.imul(ticks ^ (ticks >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000
}
