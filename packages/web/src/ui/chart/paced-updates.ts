/** A chart that moved within this time is being panned or zoomed. */
const STILL_MS = 250
/** The pace of updates of a long chart that stands still. */
const PACE_MS = 1_000

/**
 * Applies values that are costly to draw: not while the chart is moved, and else at most once a second, the latest
 * value only. The library rebuilds every point of a series at each update, which takes longer than a frame from some
 * thousand bars on.
 */
export class PacedUpdates<Value> {
  readonly #apply: (value: Value) => void
  #waiting: { value: Value } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #movedAt = Number.NEGATIVE_INFINITY
  #appliedAt = Number.NEGATIVE_INFINITY

  constructor(apply: (value: Value) => void) {
    this.#apply = apply
  }

  /** Applies the value at once, with or without one that waits. */
  applyNow(value: Value): void {
    this.cancel()
    this.#appliedAt = Date.now()
    this.#apply(value)
  }

  applySoon(value: Value): void {
    this.#waiting = { value }
    this.#schedule()
  }

  /** The chart was panned or zoomed. */
  noteMovement(): void {
    this.#movedAt = Date.now()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waiting = undefined
  }

  #schedule(): void {
    if (this.#timer !== undefined) return
    const dueAt = Math.max(this.#movedAt + STILL_MS, this.#appliedAt + PACE_MS)
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, dueAt - Date.now()))
  }

  #fire(): void {
    this.#timer = undefined
    if (this.#waiting === undefined) return
    if (Date.now() < this.#movedAt + STILL_MS) this.#schedule()
    else this.applyNow(this.#waiting.value)
  }
}
