import type { CreateStrategy } from './binnacle.ts'

/**
 * Breakout: buys when a close is the highest of the last `bars` closes and sells when one is below the middle of their
 * range. `{ "bars": 20, "value": 1000 }` trades 1,000 of quote currency at a time.
 */
export const createStrategy: CreateStrategy = ({ parameters }) => {
  const bars = Number(parameters.bars ?? 20)
  const value = Number(parameters.value ?? 1000)
  const closes: number[] = []

  return {
    onBar(bar, desk) {
      closes.push(bar.close)
      if (closes.length > bars) closes.shift()
      if (closes.length < bars) return
      const highest = Math.max(...closes)
      const middle = (highest + Math.min(...closes)) / 2
      if (desk.position() === 0 && bar.close === highest) desk.target(desk.quantityFor(value))
      if (desk.position() > 0 && bar.close < middle) desk.target(0)
    },
  }
}
