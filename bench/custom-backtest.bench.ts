import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInstruments, idFrom, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { runHostedBacktest, writeStarterFiles } from '@binnacle/sandbox'
import { runInLockStep } from '@binnacle/sandbox/testkit'
import { conclude, median } from './figures.ts'

/**
 * The example strategy of a custom module over 1-minute bars: in lock-step with its process, and hosted inside it. Both
 * must give the same digest.
 */

const ROUNDS = 3
const HOSTED_BARS = 2_000_000
const LOCK_STEP_BARS = 10_000
/** Bars per second of the hosted run, as a multiple of lock-step. */
const RATIO_LIMIT = 20

const root = await mkdtemp(join(tmpdir(), 'binnacle-custom-'))
const folder = join(root, 'strategies')
writeStarterFiles(folder)

const rounds: Record<'lockStep' | 'hosted' | 'start', number>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const start = await timed(() => hosted(LOCK_STEP_BARS))
  const inStep = await timed(() => runInLockStep({ folder, backtest: backtestOf(LOCK_STEP_BARS) }))
  const whole = await timed(() => hosted(HOSTED_BARS))
  if (typeof inStep.result === 'string') throw new Error(inStep.result)
  if (inStep.result.digest !== start.result.digest) throw new Error('The two ways gave different results')
  rounds.push({
    lockStep: LOCK_STEP_BARS / inStep.seconds,
    // Less what a short run takes: starting the process and loading the engine.
    hosted: (HOSTED_BARS - LOCK_STEP_BARS) / (whole.seconds - start.seconds),
    start: start.seconds,
  })
}
await rm(root, { recursive: true })

const figures = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]))
console.table({
  'in lock-step, bars/s': Math.round(figures('lockStep')),
  'hosted, bars/s': Math.round(figures('hosted')),
  'hosted, ms to start': Math.round(figures('start') * 1000),
})
conclude([
  {
    what: 'bars per second of a hosted custom strategy, as a multiple of lock-step',
    figure: median(rounds.map((round) => round.hosted / round.lockStep)),
    limit: RATIO_LIMIT,
    must: 'reach',
  },
])

async function hosted(rows: number) {
  const outcome = await runHostedBacktest({ folder, backtest: backtestOf(rows) })
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
  return outcome.report
}

function backtestOf(rows: number) {
  return {
    instruments: createInstruments([standardInstruments().get(idFrom('BTCUSDT'))]),
    bars: [walkBars({ rows, seed: 3 })],
    strategy: {
      type: 'custom',
      config: { module: 'example.ts', instruments: ['BTCUSDT'], interval: '1m' },
    },
    capital: 100_000,
    limits: { maxOrderSize: 1e5, maxPositionSize: 1e5, maxDailyLoss: 1e5, maxPositions: 10 },
    slippageBps: 0.5,
    latencyMs: 0,
    seed: 1,
  }
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const before = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - before) / 1000 }
}
