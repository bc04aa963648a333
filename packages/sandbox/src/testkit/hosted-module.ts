import { createInstruments, type Interval, idFrom, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import type { ChildLimits } from '#custom-child.ts'
import type { HostedBacktestOptions } from '#hosted-backtest.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** So long that a busy machine does not reach it. */
const PATIENT: Partial<ChildLimits> = { startMs: 100_000, answerMs: 100_000 }

interface HostedModuleOptions {
  rows?: number
  interval?: Interval
  limits?: Partial<ChildLimits>
}

/** A backtest of `mine.ts` with this text over some bars of BTCUSDT, without warm-up. */
export function hostedModule(
  text: string,
  { rows = 50, interval = '1m', limits = {} }: HostedModuleOptions = {},
): HostedBacktestOptions {
  const instruments = ['BTCUSDT']
  const config = { module: 'mine.ts', instruments, interval, warm_up_bars: 0, parameters: {} }
  return {
    folder: temporaryFolder({ 'mine.ts': text, 'other.json': '{"level":3}' }),
    limits: { ...PATIENT, ...limits },
    backtest: {
      instruments: createInstruments(instruments.map((id) => standardInstruments().get(idFrom(id)))),
      bars: instruments.map((instrument) => walkBars({ instrument, interval, rows, seed: 5 })),
      strategy: { type: 'custom', config },
      capital: 100_000,
      limits: { maxOrderSize: 1e5, maxPositionSize: 1e5, maxDailyLoss: 1e5, maxPositions: 10 },
      slippageBps: 0.5,
      latencyMs: 0,
      seed: 1,
    },
  }
}
