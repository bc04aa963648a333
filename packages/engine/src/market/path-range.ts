import type { BarColumns } from './history.ts'

/**
 * The lowest and highest price of several instruments in each quarter of a bar's path. The first quarter includes the
 * close of the bar before, a millisecond earlier. One object is reused.
 */
export class PathRange {
  #openLow = 0
  #openHigh = 0
  #firstLow = 0
  #firstHigh = 0
  #secondLow = 0
  #secondHigh = 0
  #closeLow = 0
  #closeHigh = 0

  begin(): void {
    this.#openLow = this.#firstLow = this.#secondLow = this.#closeLow = Number.POSITIVE_INFINITY
    this.#openHigh = this.#firstHigh = this.#secondHigh = this.#closeHigh = 0
  }

  add(columns: BarColumns | undefined, row: number): void {
    if (columns === undefined) return
    const open = columns.open[row] ?? 0
    const close = columns.close[row] ?? 0
    const before = columns.close[row - 1] ?? open
    const low = columns.low[row] ?? 0
    const high = columns.high[row] ?? 0
    const first = close >= open ? low : high
    const second = close >= open ? high : low
    this.#openLow = Math.min(this.#openLow, open, before)
    this.#openHigh = Math.max(this.#openHigh, open, before)
    this.#firstLow = Math.min(this.#firstLow, first)
    this.#firstHigh = Math.max(this.#firstHigh, first)
    this.#secondLow = Math.min(this.#secondLow, second)
    this.#secondHigh = Math.max(this.#secondHigh, second)
    this.#closeLow = Math.min(this.#closeLow, close)
    this.#closeHigh = Math.max(this.#closeHigh, close)
  }

  lowest(quarter: number): number {
    if (quarter === 0) return this.#openLow
    if (quarter === 1) return this.#firstLow
    return quarter === 2 ? this.#secondLow : this.#closeLow
  }

  highest(quarter: number): number {
    if (quarter === 0) return this.#openHigh
    if (quarter === 1) return this.#firstHigh
    return quarter === 2 ? this.#secondHigh : this.#closeHigh
  }
}
