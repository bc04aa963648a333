import type { NewBacktest } from '@binnacle/contract'
import type { InstrumentId, Interval } from '@binnacle/engine'

/** A request that makes sense, with everything said that it left out: this is what is kept and run. */
export interface BacktestPlan {
  request: NewBacktest
  /** What the strategy trades. */
  instruments: InstrumentId[]
  interval: Interval
  /** The period in milliseconds; the end is not part of it. */
  from: number
  to: number
}
