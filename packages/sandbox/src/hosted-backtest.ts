import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BacktestOptions, BacktestReport, BarColumns } from '@binnacle/engine'
import { HOSTED_COLUMNS, type HostedMessage, type HostedStart, PROGRESS_EVERY_MS } from '#hosted/protocol.ts'
import { CHILD_LIMITS, type ChildLimits, failureText } from './custom-child.ts'
import { parseHostedMessage } from './hosted-message.ts'
import { SealedProcess } from './sealed-process.ts'

export interface HostedBacktestOptions {
  /** The folder of the modules. The module of the strategy's settings must have been checked. */
  folder: string
  backtest: Omit<BacktestOptions, 'kinds' | 'onEntry' | 'isStepByStep'>
  /** Called with the share that is done. */
  onProgress?: (progress: number) => void
  /** Ends the process, and the run with it. */
  signal?: AbortSignal
  limits?: Partial<ChildLimits>
  /** Called with the id of each process that is started. */
  onProcess?: (pid: number | undefined) => void
}

export type HostedOutcome =
  | { readonly kind: 'completed'; readonly report: BacktestReport }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' }

/**
 * Nobody waits for a callback in a backtest, so it may take longer than in live trading: a busy machine, or a collection of
 * garbage whose helper threads get no CPU, must not end a run.
 */
export const HOSTED_LIMITS: ChildLimits = { ...CHILD_LIMITS, startMs: 60_000, answerMs: 10_000 }

const RUNNER = fileURLToPath(new URL('./hosted/runner.ts', import.meta.url))
/** A report has at most 2,000 points and 1,000 trades. */
const MAX_MESSAGE_CHARS = 1 << 22
const MB = 1 << 20
/** A process that somebody else ended is started once more: the run is the same again. */
const MAX_STARTS = 2

/** The engine's entry, and the folders with the sources that the process reads. */
const ENGINE = createRequire(import.meta.url).resolve('@binnacle/engine')
export const HOSTED_SOURCES = [dirname(import.meta.dirname), dirname(dirname(ENGINE))]

/**
 * Runs a backtest of a custom strategy inside the sealed process of its module: engine, bars and module together. Only
 * progress and the report come back.
 */
export async function runHostedBacktest(options: HostedBacktestOptions): Promise<HostedOutcome> {
  for (let starts = 1; ; starts++) {
    const { outcome, isKilled } = await runOnce(options)
    if (!isKilled || starts === MAX_STARTS) return outcome
    options.onProgress?.(0)
  }
}

interface Ending {
  outcome: HostedOutcome
  isKilled: boolean
}

function runOnce(options: HostedBacktestOptions): Promise<Ending> {
  const { folder, backtest, onProgress, signal, onProcess } = options
  const limits = { ...HOSTED_LIMITS, ...options.limits }
  const start = startOf(options)
  const rows = Math.max(...backtest.bars.map(({ length }) => length))
  const { promise, resolve, reject } = Promise.withResolvers<Ending>()
  const end = (outcome: HostedOutcome, isKilled = false) => {
    resolve({ outcome, isKilled })
    signal?.removeEventListener('abort', stop)
    sealed.finish(sealed.failure('was stopped'))
  }
  const stop = () => end({ kind: 'stopped' })

  const onMessage = (message: HostedMessage<BacktestReport>): void => {
    if (message.kind === 'completed') end({ kind: 'completed', report: message.report })
    else if (message.kind === 'ended') end({ kind: 'failed', reason: message.reason })
    else if (message.kind === 'failed')
      end({ kind: 'failed', reason: sealed.failure(failureText(message.failure)).message })
    else if (message.kind === 'fault') {
      reject(new Error(`A hosted backtest failed: ${message.reason}`))
      stop()
    } else {
      // The module answers at every bar, the process every so often.
      sealed.expectWithin(limits.answerMs + PROGRESS_EVERY_MS)
      if (message.kind === 'loaded') sealed.lowerPriority()
      else onProgress?.(message.done / rows)
    }
  }

  const sealed = new SealedProcess({
    module: moduleOf(backtest.strategy.config),
    folder,
    runner: RUNNER,
    readable: HOSTED_SOURCES,
    limits,
    extraMb: bytesOf(backtest.bars) / MB,
    maxLineChars: MAX_MESSAGE_CHARS,
    onLine(line) {
      const parsed = parseHostedMessage(line)
      if ('wrong' in parsed) return `sent an invalid reply (${parsed.wrong})`
      onMessage(parsed.message)
      return null
    },
    onEnd: (failure) => {
      resolve({ outcome: { kind: 'failed', reason: failure.message }, isKilled: failure.isKilled })
      signal?.removeEventListener('abort', stop)
    },
  })
  onProcess?.(sealed.pid)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  sealed.expectWithin(limits.startMs)
  sealed.write(`${JSON.stringify(start)}\n`)
  for (const columns of backtest.bars) {
    for (const name of HOSTED_COLUMNS) sealed.write(bytesOfColumn(columns, name))
  }
  return promise
}

function startOf({ folder, backtest }: HostedBacktestOptions): HostedStart {
  const { instruments, bars, strategy, capital, limits, slippageBps, latencyMs, seed } = backtest
  return {
    engine: pathToFileURL(ENGINE).href,
    folder: pathToFileURL(join(folder, '/')).href,
    instruments: instruments.all.map(({ id, makerFeePpm, takerFeePpm }) => ({
      id,
      makerFeePpm,
      takerFeePpm,
    })),
    bars: bars.map(({ instrument, interval, length }) => ({ instrument, interval, length })),
    config: strategy.config,
    capital,
    limits,
    slippageBps,
    latencyMs,
    seed,
  }
}

function moduleOf({ module }: Readonly<Record<string, unknown>>): string {
  return typeof module === 'string' ? module : 'The module'
}

function bytesOf(bars: readonly BarColumns[]): number {
  const rows = bars.reduce((sum, { length }) => sum + length, 0)
  return rows * HOSTED_COLUMNS.length * Float64Array.BYTES_PER_ELEMENT
}

function bytesOfColumn(columns: BarColumns, name: (typeof HOSTED_COLUMNS)[number]): Uint8Array {
  const { buffer, byteOffset } = columns[name]
  return new Uint8Array(buffer, byteOffset, columns.length * Float64Array.BYTES_PER_ELEMENT)
}
