import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setImmediate } from 'node:timers'
import { promiseHooks } from 'node:v8'
import {
  type Backtest,
  type BacktestReport,
  type BarColumns,
  createBacktest,
  createInstruments,
  describeReason,
  idFrom,
  type JournalEntry,
  standardInstruments,
} from '@binnacle/engine'
import { describeFailure } from '#child/failure.ts'
import type { FailureMessage, IntentMessage } from '#child/protocol.ts'
import { restrictImports } from '#child/restrict-imports.ts'
import { createConsoleBuffer, sealGlobals } from '#child/sealed-globals.ts'
import { StrategyCaller } from '#child/strategy-caller.ts'
import { loadStrategy } from '#child/strategy-module.ts'
import { describeCustomKind } from '#custom-kind.ts'
import { INTENT_RATE, TOO_MANY_INTENTS } from '#intent.ts'
import { RateLimit } from '#rate-limit.ts'
import { HostedStrategy } from './hosted-strategy.ts'
import { type HostedMessage, type HostedStart, PROGRESS_EVERY_MS } from './protocol.ts'

const REPLY_FD = 3
const STRATEGY = 'S-1'

/** Ends the run with a message. */
class RunEnded extends Error {
  readonly said: HostedMessage<never>

  constructor(said: HostedMessage<never>) {
    super()
    this.said = said
  }
}

/** Runs a whole backtest beside the user's module, which is loaded after the globals are sealed. */
export async function runHosted(start: HostedStart, bars: readonly BarColumns[]): Promise<void> {
  try {
    await new HostedRun(start, bars).play()
  } catch (thrown) {
    send(thrown instanceof RunEnded ? thrown.said : { kind: 'fault', reason: String(thrown) })
  }
}

class HostedRun {
  readonly #start: HostedStart
  readonly #backtest: Backtest
  readonly #clock = { now: 0 }
  readonly #output = createConsoleBuffer()
  readonly #intentRate = new RateLimit(INTENT_RATE)
  #strategy: HostedStrategy | null = null
  /** The first update reports at once. */
  #reportedAt = -PROGRESS_EVERY_MS
  /** The first unhandled rejection. */
  #dropped: FailureMessage | undefined
  /** Why the engine stopped the strategy. */
  #stopped: string | null = null

  constructor(start: HostedStart, bars: readonly BarColumns[]) {
    this.#start = start
    const made = createBacktest({
      instruments: instrumentsOf(start),
      bars,
      strategy: { type: 'custom', config: start.config },
      capital: start.capital,
      limits: start.limits,
      slippageBps: start.slippageBps,
      latencyMs: start.latencyMs,
      seed: start.seed,
      kinds: [describeCustomKind((settings, all) => this.#create(new HostedStrategy(settings, all)))],
      onEntry: (entry) => this.#follow(entry),
    })
    if (!made.ok) throw new RunEnded({ kind: 'ended', reason: describeReason(made.reason) })
    this.#backtest = made.value
  }

  async play(): Promise<void> {
    const hosted = this.#strategy
    if (hosted === null) throw new Error('the strategy was not created')
    const caller = await this.#load(hosted)
    hosted.attach({
      caller,
      afterUpdate: (now, intents) => this.#afterUpdate(now, intents),
      failure: (thrown) => this.#failure(thrown),
    })
    // Promises made while the module was loaded come first.
    hosted.isPaused = true
    promiseHooks.onInit(() => {
      hosted.isPaused = true
    })
    send({ kind: 'loaded' })
    const backtest = this.#backtest
    while (backtest.done < backtest.rows) {
      // Promises of the module run before its next callback, as they do between two requests.
      if (hosted.isPaused) await nextTurn()
      hosted.isPaused = false
      backtest.advance(backtest.rows, hosted)
      if (this.#stopped !== null) throw new RunEnded({ kind: 'ended', reason: this.#stopped })
    }
    send({ kind: 'completed', report: encodeReport(backtest.report()) })
  }

  #failure(thrown: unknown): RunEnded {
    return new RunEnded({ kind: 'failed', failure: describeFailure(thrown, this.#start.folder) })
  }

  /** The engine creates one to check the settings and another one to run. */
  #create(strategy: HostedStrategy): HostedStrategy {
    this.#strategy = strategy
    return strategy
  }

  async #load({ terms }: HostedStrategy): Promise<StrategyCaller> {
    const { folder, seed } = this.#start
    process.on('unhandledRejection', (thrown) => {
      this.#dropped ??= describeFailure(thrown, folder)
    })
    restrictImports(folder)
    sealGlobals({ clock: this.#clock, seed, output: this.#output })
    // The parent has checked the name: it has no character that an address would encode.
    const module = `${folder}${terms.module}`
    const strategy = await loadStrategy({ ...terms, module, folder, strategy: STRATEGY, seed }).catch(
      (thrown: unknown) => {
        throw this.#failure(thrown)
      },
    )
    return new StrategyCaller(terms, this.#clock, strategy)
  }

  #afterUpdate(now: number, intents: readonly IntentMessage[]): void {
    this.#output.clear()
    if (this.#dropped !== undefined) throw new RunEnded({ kind: 'failed', failure: this.#dropped })
    if (intents.length > 0 && !this.#intentRate.take(now, intents.length)) {
      throw new RunEnded({ kind: 'ended', reason: `${this.#strategy?.terms.module} ${TOO_MANY_INTENTS}` })
    }
    const at = performance.now()
    if (at - this.#reportedAt < PROGRESS_EVERY_MS) return
    this.#reportedAt = at
    send({ kind: 'progress', done: this.#backtest.done })
  }

  #follow({ events }: JournalEntry): void {
    for (const event of events) {
      if (event.type !== 'StrategyFailed') continue
      this.#stopped ??= event.reason
      if (this.#strategy !== null) this.#strategy.isPaused = true
    }
  }
}

function instrumentsOf({ instruments }: HostedStart) {
  const all = standardInstruments()
  return createInstruments(instruments.map(({ id, ...fees }) => ({ ...all.get(idFrom(id)), ...fees })))
}

/** Typed arrays are objects in JSON. */
function encodeReport({ curve, ...report }: BacktestReport) {
  const { length, at, equity, drawdown } = curve
  const columns = { at: Array.from(at), equity: Array.from(equity), drawdown: Array.from(drawdown) }
  return { ...report, curve: { length, ...columns } }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

function send(message: HostedMessage<unknown>): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let written = 0; written < bytes.length; ) written += writeSome(bytes.subarray(written))
}

function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(REPLY_FD, bytes)
  } catch (fault) {
    // The pipe is full, or the server has exited.
    if (fault instanceof Error && 'code' in fault && fault.code === 'EAGAIN') return 0
    return process.exit()
  }
}
