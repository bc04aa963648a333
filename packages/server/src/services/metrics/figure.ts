/** Something that is counted, shown as a rate. */
export interface RateCounter {
  readonly name: string
  readonly unit: string
  /** Its name among the samples. */
  readonly series: string
  /** Its name for Prometheus, which ends with _total, and what it counts. */
  readonly metric: string
  readonly help: string
  total(): number
}

/** A value for Prometheus; null while it is not known. */
export interface GaugeFigure {
  readonly metric: string
  readonly help: string
  value(): number | null
}
