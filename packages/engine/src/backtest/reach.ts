import type { BarColumns } from '#market/history.ts'

/** How far prices go in a stretch of bars, and how far their closes. One object is used again and again. */
export class Reach {
  low = 0
  high = 0
  lowClose = 0
  highClose = 0

  scan({ low, high, close }: BarColumns, from: number, to: number): void {
    let least = low[from] ?? 0
    let most = high[from] ?? 0
    let leastClose = close[from] ?? 0
    let mostClose = leastClose
    for (let row = from + 1; row < to; row++) {
      least = Math.min(least, low[row] ?? 0)
      most = Math.max(most, high[row] ?? 0)
      leastClose = Math.min(leastClose, close[row] ?? 0)
      mostClose = Math.max(mostClose, close[row] ?? 0)
    }
    this.low = least
    this.high = most
    this.lowClose = leastClose
    this.highClose = mostClose
  }
}
