import {
  type BacktestReport,
  createBacktest,
  createInstruments,
  idFrom,
  standardInstruments,
} from '@binnacle/engine'
import { generated, walkBars } from '@binnacle/engine/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StrategyCaller } from '#child/strategy-caller.ts'
import { describeCustomKind } from '#custom-kind.ts'
import type { HostedBacktestOptions } from '#hosted-backtest.ts'
import { runInLockStep } from '#testkit/lock-step-run.ts'
import { createStrategy } from '#testkit/random-module.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { HostedStrategy } from './hosted-strategy.ts'

const all = standardInstruments()

const run = fc.record({
  instruments: fc.constantFrom(['BTCUSDT'], ['BTCUSDT-PERP'], ['BTCUSDT', 'BTCUSDT.BYBIT']),
  rows: fc.integer({ min: 1, max: 300 }),
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  moveTicks: fc.constantFrom(1, 300, 20_000),
  gaps: fc.constantFrom(0, 0, 0.05),
  warmUpBars: fc.constantFrom(0, 1, 20),
  capital: fc.constantFrom(1_000, 100_000),
  maxDailyLoss: fc.constantFrom(1, 100_000),
  slippageBps: fc.constantFrom(0, 0.5, 20),
  latencyMs: fc.constantFrom(0, 0, 50, 40_000),
  parameters: fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    acts: fc.constantFrom(0.02, 0.3, 1),
    quotes: fc.constantFrom(0, 1),
    target: fc.constantFrom(0, 0.8),
    market: fc.constantFrom(0, 0.3),
    limit: fc.constantFrom(0, 0.8),
    cancel: fc.constantFrom(0, 0.5),
    distance: fc.constantFrom(0.001, 0.02),
  }),
})

test('[CUST-24] a hosted backtest of a generated strategy equals the one in lock-step', async () => {
  const folder = temporaryFolder({ 'mine.ts': '' })
  const totals = { orders: 0, denied: 0, trades: 0, failed: 0 }
  const property = fc.asyncProperty(run, async (given) => {
    const backtest = backtestOf(given)
    const hosted = runHosted(backtest)
    const reference = await runInLockStep({ folder, backtest }, startInside)
    expect(hosted).toEqual(reference)
    if (typeof hosted === 'string') totals.failed += 1
    else {
      totals.orders += hosted.orders
      totals.denied += hosted.deniedOrders
      totals.trades += hosted.statistics.trades
    }
  })
  await fc.assert(property, generated('hostedBacktests'))
  // A property over runs in which little happens would prove little.
  expect(totals.orders).toBeGreaterThan(1_000)
  expect(totals.denied).toBeGreaterThan(50)
  expect(totals.trades).toBeGreaterThan(100)
})

function backtestOf(given: Given): HostedBacktestOptions['backtest'] {
  const { instruments, rows, seed, moveTicks, gaps, capital, slippageBps, latencyMs } = given
  return {
    instruments: createInstruments(instruments.map((id) => all.get(idFrom(id)))),
    bars: instruments.map((instrument, nth) =>
      walkBars({ instrument, rows, seed: seed + nth, moveTicks, gaps }),
    ),
    strategy: {
      type: 'custom',
      config: {
        module: 'mine.ts',
        instruments,
        interval: '1m',
        warm_up_bars: given.warmUpBars,
        parameters: given.parameters,
      },
    },
    capital,
    limits: {
      maxOrderSize: capital,
      maxPositionSize: capital,
      maxDailyLoss: given.maxDailyLoss,
      maxPositions: 10,
    },
    slippageBps,
    latencyMs,
    seed,
  }
}

type Given = typeof run extends fc.Arbitrary<infer Value> ? Value : never

/** The hosted way, without its process. */
function runHosted(backtest: HostedBacktestOptions['backtest']): BacktestReport | string {
  const created: HostedStrategy[] = []
  const kind = describeCustomKind((settings, instruments) => {
    const strategy = new HostedStrategy(settings, instruments)
    created.push(strategy)
    return strategy
  })
  let failure: string | null = null
  const made = createBacktest({
    ...backtest,
    kinds: [kind],
    onEntry({ events }) {
      for (const event of events) if (event.type === 'StrategyFailed') failure ??= event.reason
    },
  })
  const strategy = created.at(-1)
  if (!made.ok || strategy === undefined) throw new Error('the strategy was not created')
  const { terms } = strategy
  strategy.attach({
    caller: callerOf({ ...terms, strategy: 'S-1', seed: 1 }),
    afterUpdate: () => {},
    failure: (thrown) => (thrown instanceof Error ? thrown : new Error(String(thrown))),
  })
  const backtestRun = made.value
  while (backtestRun.done < backtestRun.rows && failure === null) backtestRun.advance(97, strategy)
  return failure ?? backtestRun.report()
}

/** The process of a module, without a process: what crosses the pipe is printed and parsed. */
const startInside: NonNullable<Parameters<typeof runInLockStep>[1]> = async ({ terms }) => {
  const caller = callerOf(terms)
  return {
    wantsQuotes: true,
    deliver: async (update) => JSON.parse(JSON.stringify(caller.handle(JSON.parse(JSON.stringify(update))))),
    end: () => {},
  }
}

function callerOf(terms: Parameters<typeof startInside>[0]['terms']): StrategyCaller {
  const instruments = terms.instruments.map(({ lotUnits, tickUnits, minLots, ...common }) => ({
    ...common,
    tickSize: tickUnits / 1e8,
    lotSize: lotUnits / 1e8,
    minQuantity: (minLots * lotUnits) / 1e8,
  }))
  const { strategy, intervalMs, parameters } = terms
  return new StrategyCaller(
    terms,
    { now: 0 },
    createStrategy({ strategy, instruments, intervalMs, parameters }),
  )
}
