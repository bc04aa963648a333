import type { RecordedBars } from '#trading/catalog/catalog.ts'
import type { BacktestEngine } from './backtest-engine.ts'
import { type Backtests, type BacktestsOptions, openBacktests } from './backtests.ts'
import type { LiveBacktest } from './live-backtest.ts'
import { QueueLimit } from './queue-limit.ts'

/** The part of an engine that backtests need. */
interface BacktestedEngine {
  readonly backtests?: BacktestEngine | undefined
  readonly history: { readonly recorded: RecordedBars }
}

/** Backtests of several engines, with one list of runs. */
export interface BacktestsByEngine {
  /** Those of an engine with one of its own, else those of the embedded engine. */
  of(engine: BacktestedEngine): Backtests
  close(): Promise<void>
}

export function createBacktestsByEngine(
  recorded: RecordedBars,
  options: Omit<BacktestsOptions, 'recorded' | 'engine' | 'live' | 'limit'>,
): BacktestsByEngine {
  /** A run is cancelled and followed over any engine. */
  const live = new Map<number, LiveBacktest>()
  const limit = new QueueLimit()
  const embedded = openBacktests({ ...options, recorded, live, limit })
  const all = [embedded]
  return {
    of({ backtests: engine, history }) {
      if (engine === undefined) return embedded
      const own = openBacktests({ ...options, recorded: history.recorded, engine, live, limit })
      all.push(own)
      return own
    },
    async close() {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}
