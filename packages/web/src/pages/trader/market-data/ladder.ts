import type { MarketBook } from '@binnacle/contract'
import { roundToTick } from '#ui/chart/round-to-tick.ts'

export interface LadderLevel {
  price: number
  quantity: number
}

export interface Ladder {
  /** Best first. */
  bids: readonly LadderLevel[]
  asks: readonly LadderLevel[]
  /** The largest quantity of both sides, to which the bars are drawn. */
  largest: number
}

/** MKT-34: quantities of prices within one step stand at the price of the step that is worse for a taker. */
export function ladderOf(
  { bids, asks }: Pick<MarketBook, 'bids' | 'asks'>,
  step: number,
  rows: number,
): Ladder {
  const grouped = { bids: groupBy(bids, step, Math.floor), asks: groupBy(asks, step, Math.ceil) }
  const shown = { bids: grouped.bids.slice(0, rows), asks: grouped.asks.slice(0, rows) }
  return { ...shown, largest: Math.max(0, ...[...shown.bids, ...shown.asks].map(({ quantity }) => quantity)) }
}

/** A step is the tick times one of these. */
export const STEP_FACTORS = [1, 2, 5, 10, 20, 50, 100] as const

export function stepOf(tick: number, factor: number): number {
  return roundToTick(tick * factor, tick)
}

function groupBy(
  levels: readonly LadderLevel[],
  step: number,
  round: (value: number) => number,
): LadderLevel[] {
  const groups = new Map<number, number>()
  for (const { price, quantity } of levels) {
    // A price that is a multiple of the step up to rounding errors belongs to it.
    const multiple = round(Number((price / step).toFixed(6)))
    const at = roundToTick(multiple * step, step)
    groups.set(at, (groups.get(at) ?? 0) + quantity)
  }
  return [...groups].map(([price, quantity]) => ({ price, quantity }))
}
