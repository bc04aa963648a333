/** The maximum number of points of a curve. */
export const CURVE_POINTS = 2_000

/** Equity and drawdown at evenly spaced bars, the last one included. */
export interface EquityCurve {
  readonly length: number
  /** The end of each point's bar. */
  readonly at: Float64Array
  readonly equity: Float64Array
  /** Fractions of the peak. */
  readonly drawdown: Float64Array
}

export class CurveRecorder {
  readonly #rows: number
  readonly #stride: number
  readonly #at: Float64Array
  readonly #equity: Float64Array
  readonly #drawdown: Float64Array
  #length = 0

  constructor(rows: number) {
    this.#rows = rows
    this.#stride = Math.max(1, Math.ceil(rows / CURVE_POINTS))
    const points = Math.ceil(rows / this.#stride)
    this.#at = new Float64Array(points)
    this.#equity = new Float64Array(points)
    this.#drawdown = new Float64Array(points)
  }

  /** Returns the first row at or after this one that has a point. */
  nextRow(row: number): number {
    const next = (Math.floor(row / this.#stride) + 1) * this.#stride - 1
    return Math.min(next, this.#rows - 1)
  }

  /** Adds a point; only for rows that have one. */
  add(at: number, equity: number, drawdown: number): void {
    this.#at[this.#length] = at
    this.#equity[this.#length] = equity
    this.#drawdown[this.#length] = drawdown
    this.#length += 1
  }

  curve(): EquityCurve {
    const length = this.#length
    return {
      length,
      at: this.#at.slice(0, length),
      equity: this.#equity.slice(0, length),
      drawdown: this.#drawdown.slice(0, length),
    }
  }
}
