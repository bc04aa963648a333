import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BacktestOptions,
  type BacktestReport,
  createBacktest,
  createInstruments,
  idFrom,
  standardInstruments,
} from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { findPython } from '@binnacle/nautilus'
import { runNodeBacktest } from '@binnacle/nautilus/testkit'
import { runHostedBacktest, writeStarterFiles } from '@binnacle/sandbox'
import { conclude, median, rounded } from './figures.ts'

/**
 * One momentum rule over the same 1-minute bars three times in turns: as a custom module inside its sealed process, as
 * the built-in strategy, and in NautilusTrader's BacktestEngine. Each time is the run alone, by the clock.
 */

const ROUNDS = 3
const BARS = 20_000
/** Our runs are shorter than the clock's noise over so few bars. */
const OUR_BARS = 1_000_000
type NodeResult = Awaited<ReturnType<typeof runNodeBacktest>>

/** Subtracted from a hosted run: starting the process and loading the engine. */
const FEW_BARS = 10_000
const CUSTOM_LIMIT = 10
const BTC = 'BTCUSDT-PERP'
const TERMS = { capital: 1_000_000, slippageBps: 0.5 }
const CONFIG = { fast_bars: 10, slow_bars: 20, threshold_bps: 0, order_value: 1_000 }

/** The limits of a stuck module end a run that waits for a processor; a measurement waits instead. */
const LIMITS = { answerMs: 600_000, startMs: 600_000 }

const MODULE = `
import { createEma, type CreateStrategy } from './binnacle.ts'
export const createStrategy: CreateStrategy = () => {
  const fast = createEma(${CONFIG.fast_bars})
  const slow = createEma(${CONFIG.slow_bars})
  let side = 0
  let count = 0
  return {
    onBar(bar, desk) {
      const gap = fast.add(bar.close) - slow.add(bar.close)
      count += 1
      const now = Math.sign(gap)
      if (count < ${CONFIG.slow_bars} || now === 0 || now === side) return
      side = now
      desk.target(side * desk.quantityFor(${CONFIG.order_value}))
    },
  }
}
`

const python =
  process.env.BINNACLE_NAUTILUS_PYTHON ?? findPython(join(import.meta.dirname, '..', '.cache', 'nautilus'))
if (python === null) {
  console.log(
    'Skipped: NautilusTrader is not installed. Run npm run nautilus -- setup, or set BINNACLE_NAUTILUS_PYTHON.',
  )
  process.exit(0)
}

const folder = await mkdtemp(join(tmpdir(), 'binnacle-rule-'))
const strategies = join(folder, 'strategies')
writeStarterFiles(strategies)
await writeFile(join(strategies, 'rule.ts'), MODULE)

const instrument = standardInstruments().get(idFrom(BTC))
const bars = walkBars({ instrument: BTC, rows: OUR_BARS, seed: 7 })
const few = { ...bars, length: BARS }

const rounds: { custom: number; own: number; theirs: number; result: NodeResult }[] = []
for (let round = 0; round < ROUNDS; round++) {
  const start = await hosted(FEW_BARS)
  const custom = await hosted(OUR_BARS)
  const own = builtIn(OUR_BARS)
  const theirs = await runNodeBacktest(python, {
    ...TERMS,
    instruments: [instrument],
    bars: [few],
    strategy: { type: 'momentum', config: CONFIG },
  })
  rounds.push({
    custom: (OUR_BARS - FEW_BARS) / (custom.seconds - start.seconds),
    own: OUR_BARS / own.seconds,
    theirs: BARS / theirs.seconds,
    result: theirs,
  })
}
const figures = (name: 'custom' | 'own' | 'theirs') => median(rounds.map((round) => round[name]))
const custom = (await hosted(BARS)).report
const own = builtIn(BARS).report
const theirs = rounds[0]?.result
await rm(folder, { recursive: true })

console.table({
  'a custom module': rowOf(figures('custom'), custom),
  'the built-in strategy': rowOf(figures('own'), own),
  'NautilusTrader 1.221': {
    'bars/s': Math.round(figures('theirs')),
    [`trades in ${BARS} bars`]: theirs?.trades_total,
    'P&L before funding': rounded((theirs?.final_equity ?? 0) - TERMS.capital),
  },
})
conclude([
  {
    what: 'bars per second of a custom module, as a multiple of NautilusTrader',
    figure: median(rounds.map((round) => round.custom / round.theirs)),
    limit: CUSTOM_LIMIT,
    must: 'reach',
  },
])

function rowOf(barsPerS: number, { statistics, finalEquity }: BacktestReport) {
  return {
    'bars/s': Math.round(barsPerS),
    [`trades in ${BARS} bars`]: statistics.trades,
    'P&L before funding': rounded(finalEquity - statistics.funding - TERMS.capital),
  }
}

async function hosted(rows: number) {
  const strategy = { type: 'custom', config: { module: 'rule.ts', instruments: [BTC], interval: '1m' } }
  const startMs = performance.now()
  const backtest = optionsOf(rows, strategy)
  const outcome = await runHostedBacktest({ folder: strategies, backtest, limits: LIMITS })
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
  return { report: outcome.report, seconds: (performance.now() - startMs) / 1_000 }
}

function builtIn(rows: number) {
  const config = { ...CONFIG, instrument: BTC, interval: '1m' }
  const made = createBacktest(optionsOf(rows, { type: 'momentum', config }))
  if (!made.ok) throw new Error(made.reason.code)
  const startMs = performance.now()
  made.value.advance(rows)
  return { report: made.value.report(), seconds: (performance.now() - startMs) / 1_000 }
}

function optionsOf(length: number, strategy: BacktestOptions['strategy']): BacktestOptions {
  const cut = (column: Float64Array) => column.slice(0, length)
  const { start, open, high, low, close, volume } = bars
  return {
    ...TERMS,
    instruments: createInstruments([instrument]),
    bars: [
      {
        ...bars,
        length,
        start: cut(start),
        open: cut(open),
        high: cut(high),
        low: cut(low),
        close: cut(close),
        volume: cut(volume),
      },
    ],
    strategy,
    limits: { maxOrderSize: 1e6, maxPositionSize: 1e6, maxDailyLoss: 1e6, maxPositions: 10 },
    latencyMs: 0,
    seed: 1,
  }
}
