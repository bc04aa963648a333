/** Mean and standard deviation of the last `length` values, in constant time per value. */
export interface Rolling {
  readonly isFull: boolean
  /** The mean of the window; 0 if empty. */
  mean(): number
  /** The population's standard deviation: 0 for one value. */
  deviation(): number
  add(value: number): void
  /** Returns how many deviations a value lies above the mean of the window; 0 when the window does not vary. */
  score(value: number): number
}

/** Creates a window over integers, such as prices in ticks. */
export function createRolling(length: number): Rolling {
  return new RollingWindow(length)
}

class RollingWindow implements Rolling {
  readonly #values: Float64Array
  #count = 0
  #next = 0
  /** Sums are relative to this value, so that they stay small integers without rounding errors. */
  #origin = 0
  #sum = 0
  #squares = 0

  constructor(length: number) {
    this.#values = new Float64Array(length)
  }

  get isFull(): boolean {
    return this.#count === this.#values.length
  }

  mean(): number {
    return this.#count === 0 ? 0 : this.#origin + this.#sum / this.#count
  }

  deviation(): number {
    if (this.#count === 0) return 0
    const mean = this.#sum / this.#count
    return Math.sqrt(Math.max(0, this.#squares / this.#count - mean * mean))
  }

  score(value: number): number {
    const deviation = this.deviation()
    return deviation === 0 ? 0 : (value - this.mean()) / deviation
  }

  add(value: number): void {
    if (this.#count === 0) this.#origin = value
    const beyond = value - this.#origin
    if (this.isFull) {
      const gone = (this.#values[this.#next] ?? 0) - this.#origin
      this.#sum -= gone
      this.#squares -= gone * gone
    } else this.#count += 1
    this.#values[this.#next] = value
    this.#sum += beyond
    this.#squares += beyond * beyond
    this.#next += 1
    if (this.#next === this.#values.length) this.#beginRound()
  }

  /** Once per window the sums are recomputed around the current price, so that they stay small. */
  #beginRound(): void {
    this.#next = 0
    this.#origin = this.#values[this.#values.length - 1] ?? 0
    this.#sum = 0
    this.#squares = 0
    for (const value of this.#values) {
      const beyond = value - this.#origin
      this.#sum += beyond
      this.#squares += beyond * beyond
    }
  }
}
