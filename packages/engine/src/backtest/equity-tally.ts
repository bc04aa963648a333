import { MS_PER_DAY } from '#values/instant.ts'

/** Running statistics of equity: deepest drawdown and daily returns. */
export class EquityTally {
  /** The highest equity so far; the capital at first. */
  peak: number
  /** The deepest drawdown, as a fraction of the peak. */
  deepest = 0
  /** The latest equity. */
  last: number
  readonly returns: ReturnTally = { days: 0, sum: 0, squares: 0, losses: 0 }
  /** Of each day, oldest first. */
  readonly daily: number[] = []
  readonly #firstAt: number
  #peakAt: number
  #fellFrom = 0
  #recoveredAt: number | null = null
  #lastAt: number
  #day: number
  #dayBegan: number

  constructor(capital: number, at: number) {
    this.peak = this.last = this.#dayBegan = capital
    this.#firstAt = this.#peakAt = this.#lastAt = at
    this.#day = Math.floor(at / MS_PER_DAY)
  }

  /** Adds the equity at the end of a bar. */
  note(at: number, equity: number): void {
    const day = Math.floor((at - 1) / MS_PER_DAY)
    if (day !== this.#day) this.#endDay(day)
    this.last = equity
    this.#lastAt = at
    if (equity >= this.peak) {
      if (this.deepest > 0 && this.#fellFrom === this.#peakAt) this.#recoveredAt ??= at
      this.peak = equity
      this.#peakAt = at
      return
    }
    this.noteBelowPeak(equity)
  }

  /** Adds bars of one day that end below the peak, by their lowest end. */
  noteBelowPeak(worst: number): void {
    const depth = 1 - worst / this.peak
    if (depth > this.deepest) this.#deepen(depth)
  }

  /** Returns the drawdown as a fraction of the peak. */
  get drawdown(): number {
    return this.peak > 0 ? Math.max(0, 1 - this.last / this.peak) : 0
  }

  /** Returns the duration of the deepest drawdown, from its peak to recovery or the end of the run. */
  get deepestMs(): number {
    if (this.deepest === 0) return 0
    return (this.#recoveredAt ?? this.#lastAt) - this.#fellFrom
  }

  get spanMs(): number {
    return this.#lastAt - this.#firstAt
  }

  /** Also ends the last day. */
  finish(): void {
    this.#endDay(this.#day + 1)
  }

  #deepen(depth: number): void {
    this.deepest = depth
    this.#fellFrom = this.#peakAt
    this.#recoveredAt = null
  }

  #endDay(next: number): void {
    if (this.#lastAt > this.#firstAt && this.#dayBegan > 0) {
      const change = this.last / this.#dayBegan - 1
      this.daily.push(change)
      this.returns.days += 1
      this.returns.sum += change
      this.returns.squares += change * change
      if (change < 0) this.returns.losses += change * change
    }
    this.#dayBegan = this.last
    this.#day = next
  }
}

/** Sums over daily returns, for volatility and the ratios. */
export interface ReturnTally {
  days: number
  sum: number
  squares: number
  /** Squares of the negative returns. */
  losses: number
}
