import type { BarColumns } from '#market/history.ts'

/** Lowest and highest price and close over a range of bars. One object is reused. */
export class PriceRange {
  low = 0
  high = 0
  lowClose = 0
  highClose = 0

  scan({ low, high }: BarColumns, from: number, to: number): void {
    let least = low[from] ?? 0
    let most = high[from] ?? 0
    for (let row = from + 1; row < to; row++) {
      least = Math.min(least, low[row] ?? 0)
      most = Math.max(most, high[row] ?? 0)
    }
    this.low = least
    this.high = most
  }

  /** Scans the closes only. */
  scanCloses({ close }: BarColumns, from: number, to: number): void {
    let least = close[from] ?? 0
    let most = least
    for (let row = from + 1; row < to; row++) {
      const end = close[row] ?? 0
      if (end < least) least = end
      else if (end > most) most = end
    }
    this.lowClose = least
    this.highClose = most
  }
}
