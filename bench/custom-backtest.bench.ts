import { globSync, readFileSync } from 'node:fs'
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
 * must give the same digest. Processor time of this process and its children counts, as others may be busy too.
 */

const ROUNDS = 3
const HOSTED_BARS = 1_000_000
const LOCK_STEP_BARS = 10_000
/** Bars per second of the hosted run, as a multiple of lock-step. */
const RATIO_LIMIT = 20
const MS_PER_TICK = 10

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

/** The processor time of this process and of its children, which are read while they live. */
async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const used = new Map<string, number>()
  const look = () => {
    for (const pid of children()) used.set(pid, Math.max(used.get(pid) ?? 0, cpuMsOf(pid)))
  }
  const looking = setInterval(look, 10)
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  clearInterval(looking)
  const ofChildren = [...used.values()].reduce((sum, ms) => sum + ms, 0)
  return { result, seconds: (user + system) / 1e6 + ofChildren / 1000 }
}

function children(): string[] {
  const lists = globSync('/proc/self/task/*/children').map((file) => readFileSync(file, 'utf8'))
  return lists.flatMap((list) => list.trim().split(' ')).filter((pid) => pid !== '')
}

function cpuMsOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return 0
  }
}
