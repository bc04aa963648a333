import { PERFORMANCE_PERIODS, type PerformancePeriod } from '@binnacle/contract'

/** What the address of the screen says. */
export interface PerformanceAddress {
  period: PerformancePeriod
  /** One strategy; undefined: all. */
  strategy: string | undefined
  /** The instrument to compare with. */
  hold: string | undefined
  /** The backtest to compare with. */
  run: string | undefined
}

const DEFAULT_PERIOD: PerformancePeriod = '3M'

/** PERF-20: what is no period or no number of a run is left out. */
export function readAddress(params: URLSearchParams): PerformanceAddress {
  const period = params.get('period')
  return {
    period: PERFORMANCE_PERIODS.find((known) => known === period) ?? DEFAULT_PERIOD,
    strategy: params.get('strategy') || undefined,
    hold: params.get('hold') || undefined,
    run: [params.get('run') ?? ''].find((id) => /^[1-9]\d{0,14}$/.test(id)),
  }
}

export function writeAddress({ period, strategy, hold, run }: PerformanceAddress): URLSearchParams {
  return new URLSearchParams({
    period,
    ...(strategy !== undefined && { strategy }),
    ...(hold !== undefined && { hold }),
    ...(run !== undefined && { run }),
  })
}
