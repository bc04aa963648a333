export interface RateLimitOptions {
  /** Allowed at once. */
  burst: number
  /** Refill per second. */
  perSecond: number
}

/** A token bucket. */
export class RateLimit {
  readonly #terms: RateLimitOptions
  #left: number
  #at = 0

  constructor(terms: RateLimitOptions) {
    this.#terms = terms
    this.#left = terms.burst
  }

  /** Takes `count` tokens; returns false if there are not enough. */
  take(now: number, count: number): boolean {
    const { burst, perSecond } = this.#terms
    this.#left = Math.min(burst, this.#left + (Math.max(0, now - this.#at) / 1000) * perSecond)
    this.#at = now
    if (count > this.#left) return false
    this.#left -= count
    return true
  }
}
