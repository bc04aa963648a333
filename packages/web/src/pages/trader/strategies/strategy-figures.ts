import type { Strategy } from '@binnacle/contract'

/** STRAT-20: of no trades there is no share that was won, also where a backend calls it zero. */
export function withoutEmptyRate(strategy: Strategy): Strategy {
  const { performance } = strategy
  return performance.total_trades === 0
    ? { ...strategy, performance: { ...performance, win_rate: undefined } }
    : strategy
}
