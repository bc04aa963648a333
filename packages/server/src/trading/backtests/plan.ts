import type { NewBacktest } from '@binnacle/contract'
import {
  type BacktestOptions,
  type BarColumns,
  createInstruments,
  type Instrument,
  type InstrumentId,
  type Instruments,
  type Interval,
} from '@binnacle/engine'

/** A checked request with its defaults filled in, as it is stored and run. */
export interface BacktestPlan {
  request: NewBacktest
  /** What the strategy trades. */
  instruments: InstrumentId[]
  interval: Interval
  /** The period in milliseconds; the end is not part of it. */
  from: number
  to: number
  /** Where its bars are, when they are of a data set. */
  dataSet?: DataSetSource
}

/** A data set as a run reads it. */
export interface DataSetSource {
  readonly name: string
  readonly folder: string
  /** The length of its bars. */
  readonly interval: Interval
  /** Changes with every import: other bars are read again. */
  readonly version: string
}

/** The bars that a plan is made of, before they are aggregated. */
export function baseInterval({ dataSet }: BacktestPlan): Interval {
  return dataSet?.interval ?? '1m'
}

const PPM_PER_BPS = 100

/** The engine's options for a plan and its bars, with the fees of the request. */
export function optionsOf(
  { request, instruments }: BacktestPlan,
  bars: readonly BarColumns[],
  all: Instruments,
): BacktestOptions {
  const { limits, fees } = request
  const capital = request.initial_cash
  return {
    instruments: createInstruments(instruments.map((id) => withFees(all.get(id), fees))),
    bars,
    strategy: request.strategy,
    capital,
    limits: {
      maxOrderSize: limits?.max_order_size ?? capital,
      maxPositionSize: limits?.max_position_size ?? capital,
      maxDailyLoss: limits?.max_daily_loss ?? capital,
      maxPositions: limits?.max_positions ?? 10,
    },
    slippageBps: request.slippage_bps,
    latencyMs: request.latency_ms,
    seed: request.seed,
  }
}

export function withFees(instrument: Instrument, fees: BacktestPlan['request']['fees']): Instrument {
  if (fees === undefined) return instrument
  const ppm = (bps: number) => Math.round(bps * PPM_PER_BPS)
  return { ...instrument, makerFeePpm: ppm(fees.maker_bps), takerFeePpm: ppm(fees.taker_bps) }
}
