const AT_ONCE = 200
const PER_SECOND = 5

/** How much a module may want in a stretch of the market's time, so that none floods the journal. */
export class IntentBudget {
  #left = AT_ONCE
  #at = 0

  /** Takes wishes off; returns what is wrong when there are more than are left. */
  spend(now: number, wishes: number): string | null {
    if (wishes === 0) return null
    this.#left = Math.min(AT_ONCE, this.#left + (Math.max(0, now - this.#at) / 1000) * PER_SECOND)
    this.#at = now
    this.#left -= wishes
    return this.#left >= 0
      ? null
      : `wanted too much (${AT_ONCE} orders and cancels in a row, then ${PER_SECOND} a second)`
  }
}
