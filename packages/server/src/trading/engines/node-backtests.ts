import type { NewBacktest } from '@binnacle/contract'
import {
  BUILT_IN_KINDS,
  type Instruments,
  type Parameter,
  type StrategyKind,
  type StrategyKindRow,
} from '@binnacle/engine'
import type {
  BacktestEnding,
  BacktestProcess,
  BacktestProgram,
  NodeBacktest,
  startBacktest,
} from '@binnacle/nautilus'
import type { Refused } from '#http/problems.ts'
import type { BacktestEngine } from '#trading/backtests/backtest-engine.ts'
import { wrong } from '#trading/backtests/check-request.ts'
import { type BacktestPlan, withFees } from '#trading/backtests/plan.ts'
import type { PlanEnding } from '#trading/backtests/plan-run.ts'
import { toForeignResult } from '#trading/backtests/received-result.ts'
import type { LoadedBars } from '#trading/backtests/shared-bars.ts'

export interface NodeBacktestsOptions {
  program: BacktestProgram
  /** From `@binnacle/nautilus`, which is loaded only where it is configured. */
  start: typeof startBacktest
  version: string
  instruments: Instruments
  /** The strategies that the node offers. */
  kinds: () => readonly StrategyKindRow[]
  onLine: (line: string) => void
  /** By default two. */
  processes?: number
}

/** A process takes 270 MB and more. */
const MAX_PROCESSES = 2
/** A process that something ended is started once more. */
const MAX_STARTS = 2
const QUOTE = 'USDT'
/** NautilusTrader has sums of money as doubles, which have eight decimals up to 90 million. */
const MAX_CAPITAL = 40_000_000

/** NAUT-160: backtests by NautilusTrader's BacktestEngine, each in a process of its own. */
export function createNodeBacktests(options: NodeBacktestsOptions): BacktestEngine {
  const { instruments, version, processes = MAX_PROCESSES } = options
  let free = processes
  /** Each is called with whether it may begin. */
  const waiting: ((isGranted: boolean) => void)[] = []

  function acquireProcess(): { granted: Promise<boolean>; cancel(): void } {
    if (free > 0) {
      free -= 1
      return { granted: Promise.resolve(true), cancel: () => {} }
    }
    const { promise: granted, resolve } = Promise.withResolvers<boolean>()
    waiting.push(resolve)
    const cancel = () => {
      const index = waiting.indexOf(resolve)
      if (index >= 0) waiting.splice(index, 1)
      resolve(false)
    }
    return { granted, cancel }
  }

  function releaseProcess(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next(true)
  }

  return {
    instruments,
    version,
    get kinds() {
      return kindsOf(options.kinds())
    },
    checkRequest: (request) => checkRequest(request, instruments),
    run(plan, loaded, { onBegun, onProgress }) {
      let isStopped = false
      let current: BacktestProcess | undefined
      const run = async (): Promise<PlanEnding> => {
        const backtest = backtestOf(plan, loaded, instruments)
        for (let starts = 1; ; starts++) {
          if (isStopped) return { kind: 'stopped' }
          if (starts === 1) onBegun?.()
          current = options.start(options.program, backtest, {
            onProgress,
            onLine: options.onLine,
          })
          const ending = await current.ended
          if (ending.kind !== 'died') return toPlanEnding(ending)
          if (starts === MAX_STARTS) return { kind: 'refused', sentence: describeDeath(ending.how) }
        }
      }
      const slot = acquireProcess()
      const runInSlot = async (): Promise<PlanEnding> =>
        (await slot.granted) ? run().finally(releaseProcess) : { kind: 'stopped' }
      return {
        ended: runInSlot(),
        stop() {
          isStopped = true
          slot.cancel()
          current?.stop()
        },
      }
    },
  }
}

function toPlanEnding(ending: Exclude<BacktestEnding, { kind: 'died' }>): PlanEnding {
  switch (ending.kind) {
    case 'stopped':
      return { kind: 'stopped' }
    case 'failed':
      return { kind: 'refused', sentence: ending.sentence }
    case 'late':
      return { kind: 'refused', sentence: TIMED_OUT }
    case 'result': {
      const stored = toForeignResult(ending.result, ending.approximations)
      if (stored !== undefined) return { kind: 'completed', ...stored }
      return { kind: 'fault', fault: new Error('The result of a backtest by NautilusTrader is not valid') }
    }
  }
}

const TIMED_OUT =
  'The run took longer than 6 hours and was ended. Shorten its period, or choose a longer interval.'

function describeDeath(how: string): string {
  return `The NautilusTrader process of this run ended twice without a result, last with ${how}. If the machine was out of memory, shorten the period; else see logs/server.log in the data folder.`
}

/** Returns why NautilusTrader cannot run a request, before anything is queued. */
function checkRequest(request: NewBacktest, instruments: Instruments): Refused | null {
  const { strategy, data_set: dataSet } = request
  if (strategy.type === 'custom') {
    const sentence =
      'NautilusTrader does not run modules of the strategies folder. Use the embedded engine for them.'
    return wrong('strategy.type', sentence)
  }
  if (dataSet !== undefined) {
    const sentence =
      'Runs by NautilusTrader use the recorded bars of its node. Use the embedded engine for data sets.'
    return wrong('data_set', sentence)
  }
  if (request.initial_cash > MAX_CAPITAL) {
    const sentence = `Runs by NautilusTrader begin with at most ${MAX_CAPITAL.toLocaleString('en')} ${QUOTE}: its sums are not exact beyond. Use the embedded engine for more.`
    return wrong('initial_cash', sentence)
  }
  for (const name of namesIn(request)) {
    const quote = instruments.find(name)?.quote ?? QUOTE
    if (quote !== QUOTE) {
      return wrong('instrument', `Runs by NautilusTrader are in ${QUOTE}; ${name} is quoted in ${quote}.`)
    }
  }
  return null
}

function namesIn({ instrument, instruments = [], strategy: { config } }: NewBacktest): string[] {
  const named = [instrument, ...instruments, config.instrument, config.instruments].flat()
  return named.filter((name) => typeof name === 'string')
}

/** The same four types as those of the embedded engine, with the node's own defaults. */
function kindsOf(rows: readonly StrategyKindRow[]): StrategyKind[] {
  return BUILT_IN_KINDS.flatMap((kind) => {
    const row = rows.find(({ type }) => type === kind.type)
    return row === undefined
      ? []
      : { ...kind, parameters: kind.parameters.map((own) => withDefault(own, row)) }
  })
}

function withDefault(own: Parameter, { parameters }: StrategyKindRow): Parameter {
  const given = parameters.find(({ name }) => name === own.name)
  // The bridge declares a parameter of the same name with the same kind of value.
  return given === undefined ? own : ({ ...own, default: given.default } as Parameter)
}

function backtestOf(plan: BacktestPlan, { bars }: LoadedBars, instruments: Instruments): NodeBacktest {
  const { strategy, initial_cash: capital, slippage_bps: slippageBps, fees, limits, seed } = plan.request
  return {
    instruments: plan.instruments.map((id) => withFees(instruments.get(id), fees)),
    bars,
    strategy,
    capital,
    slippageBps,
    latencyMs: plan.request.latency_ms,
    seed,
    limits,
  }
}
