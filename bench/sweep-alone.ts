import {
  createBacktest,
  createInstruments,
  idFrom,
  instantFromMs,
  standardInstruments,
} from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { DAYS, sweepOf } from './sweeps.ts'

/**
 * A process that runs the backtests of a sweep alone, without server, threads and database: at each message it runs so
 * many and answers. Two of them at once show how far the machine itself can go.
 */

const { base } = sweepOf(1)
const bars = walkBars({ rows: DAYS * 1_440, seed: 7, startAt: instantFromMs(Date.parse(base.from)) })
const instruments = createInstruments([standardInstruments().get(idFrom(base.instrument))])

process.on('message', (sets: number) => {
  for (let set = 0; set < sets; set++) runSet(set)
  process.send?.('done')
})
process.send?.('ready')

function runSet(set: number): void {
  const capital = base.initial_cash
  const made = createBacktest({
    instruments,
    bars: [bars],
    strategy: {
      type: base.strategy.type,
      config: {
        ...base.strategy.config,
        instrument: base.instrument,
        interval: base.interval,
        fast_bars: 5 + (set % 20),
        slow_bars: 30 + 5 * (set % 25),
      },
    },
    capital,
    limits: { maxOrderSize: capital, maxPositionSize: capital, maxDailyLoss: capital, maxPositions: 10 },
    slippageBps: base.slippage_bps,
    latencyMs: base.latency_ms,
    seed: base.seed,
  })
  if (!made.ok) throw new Error(made.reason.code)
  made.value.advance(made.value.rows)
}
