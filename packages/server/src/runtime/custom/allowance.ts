export interface AllowanceTerms {
  /** How many may come in a row. */
  atOnce: number
  /** How many more may come with every second that passes. */
  perSecond: number
}

/** How much of something is let through over time. */
export class Allowance {
  readonly #terms: AllowanceTerms
  #left: number
  #at = 0

  constructor(terms: AllowanceTerms) {
    this.#terms = terms
    this.#left = terms.atOnce
  }

  /** Takes so many off and says whether they were left. */
  take(now: number, count: number): boolean {
    const { atOnce, perSecond } = this.#terms
    this.#left = Math.min(atOnce, this.#left + (Math.max(0, now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (count > this.#left) return false
    this.#left -= count
    return true
  }
}
