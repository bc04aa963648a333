import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { BarColumns, Instrument } from '@binnacle/engine'
import { z } from 'zod'
import { BRIDGE_FOLDER } from './python.ts'
import { type Timers, WALL_TIMERS } from './timers.ts'

/** A backtest as the embedded engine takes it, for NautilusTrader's BacktestEngine. */
export interface NodeBacktest {
  /** With the fees of the run. */
  readonly instruments: readonly Instrument[]
  /** Of each instrument, in their order. */
  readonly bars: readonly BarColumns[]
  readonly strategy: { readonly type: string; readonly config: Readonly<Record<string, unknown>> }
  readonly capital: number
  readonly slippageBps: number
  readonly latencyMs?: number
  readonly seed?: number
  /** By default the capital limits an order, all positions and the daily loss, and ten positions may be open. */
  readonly limits?: Readonly<Record<string, number>> | undefined
}

/** The process of a run. */
export interface BacktestProgram {
  readonly program: string
  readonly args: readonly string[]
  /** The whole environment of the process: it inherits nothing. */
  readonly env: Readonly<Record<string, string>>
}

export interface BacktestProcessOptions {
  readonly onRunning?: (() => void) | undefined
  readonly onProgress?: ((share: number) => void) | undefined
  /** Called with each line that the process prints. */
  readonly onLine?: (line: string) => void
  readonly timers?: Timers
}

export type BacktestEnding =
  /** `result` has the shape of the contract's result, less its hash. */
  | { readonly kind: 'result'; readonly result: unknown; readonly approximations: readonly string[] }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'stopped' }
  /** It took longer than a run may. */
  | { readonly kind: 'late' }
  /** The process ended without a result: with this signal or status. */
  | { readonly kind: 'died'; readonly how: string }

export interface BacktestProcess {
  readonly pid: number | undefined
  /** Never rejects. */
  readonly ended: Promise<BacktestEnding>
  stop(): void
}

/** The largest run that is accepted, at a tenth of the speed that was measured. */
const LIMIT_MS = 6 * 3_600_000

const Frame = z.discriminatedUnion('k', [
  z.object({ k: z.literal('running') }),
  z.object({ k: z.literal('progress'), done: z.number(), bars: z.number() }),
  z.object({ k: z.literal('result'), result: z.looseObject({}), approximations: z.array(z.string()) }),
  z.object({ k: z.literal('failed'), message: z.string() }),
])

/** The program of our bridge, in an interpreter that has NautilusTrader. */
export function backtestProgram(python: string, path = ''): BacktestProgram {
  return {
    program: python,
    // -P: no module is taken from the working folder of the server.
    args: ['-B', '-P', '-m', 'nautilus_bridge.backtest_worker'],
    env: { PATH: path, PYTHONPATH: BRIDGE_FOLDER, PYTHONUNBUFFERED: '1', TZ: 'UTC', LANG: 'C.UTF-8' },
  }
}

/**
 * Runs a backtest in a process of its own. The request is one line on its standard input, followed by the bars. The end
 * of that input ends the process: the server is gone.
 */
export function startBacktest(
  { program, args, env }: BacktestProgram,
  backtest: NodeBacktest,
  { onRunning, onProgress, onLine = () => {}, timers = WALL_TIMERS }: BacktestProcessOptions = {},
): BacktestProcess {
  let cutShort: 'stopped' | 'late' | undefined
  let last: BacktestEnding | undefined
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  // An end of the process is seen by its exit.
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(requestOf(backtest))}\n`)
  for (const columns of backtest.bars) for (const bytes of bytesOf(columns)) child.stdin.write(bytes)
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine)
  const stopTimer = timers.after(LIMIT_MS, () => end('late'))

  function end(why: 'stopped' | 'late'): void {
    cutShort ??= why
    child.kill('SIGKILL')
  }

  function take(line: string): void {
    const frame = Frame.safeParse(jsonOf(line))
    if (!frame.success) {
      last ??= { kind: 'died', how: `a message that is not one of a backtest: ${line.slice(0, 200)}` }
      return
    }
    const { data } = frame
    if (data.k === 'running') onRunning?.()
    else if (data.k === 'progress') onProgress?.(data.bars > 0 ? data.done / data.bars : 0)
    else if (data.k === 'failed') last ??= { kind: 'failed', sentence: data.message }
    else last ??= { kind: 'result', result: data.result, approximations: data.approximations }
  }

  async function run(): Promise<BacktestEnding> {
    const exit = once(child, 'exit')
    const frames = createInterface(
      // File descriptor 3 is a pipe from the child.
      child.stdio[3] as Readable,
    )
    frames.on('line', take)
    const read = once(frames, 'close')
    // A program that is not there has an error in place of an exit.
    const [code, signal] = await exit.catch((fault: Error) => [null, fault.message])
    if (child.pid !== undefined) await read
    stopTimer()
    return last ?? (cutShort && { kind: cutShort }) ?? { kind: 'died', how: signal ?? `status ${code}` }
  }

  return { pid: child.pid, ended: run(), stop: () => end('stopped') }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const COLUMNS = ['start', 'open', 'high', 'low', 'close', 'volume'] as const

/** Doubles in the order of the machine, which the other process shares. */
function bytesOf(bars: BarColumns): Buffer[] {
  return COLUMNS.map((name) => {
    const column = bars[name].subarray(0, bars.length)
    return Buffer.from(column.buffer, column.byteOffset, column.byteLength)
  })
}

function requestOf({ instruments, bars, strategy, capital, slippageBps, ...more }: NodeBacktest) {
  const starts = bars.flatMap(({ start, length }) =>
    length > 0 ? [start[0] ?? 0, start[length - 1] ?? 0] : [],
  )
  return {
    instruments: instruments.map(rowOf),
    bars: bars.map(({ length }) => ({ columns: length })),
    interval: bars[0]?.interval,
    strategy,
    from: Math.min(...starts),
    to: Math.max(...starts) + 1,
    initial_cash: capital,
    slippage_bps: slippageBps,
    latency_ms: more.latencyMs ?? 0,
    seed: more.seed ?? 1,
    ...(more.limits && { limits: more.limits }),
  }
}

/** An instrument as a node's own row of it. NautilusTrader's ids end with the venue. */
function rowOf({ id, symbol, venue, base, tick, lot, minQuantity, ...terms }: Instrument) {
  return {
    id: id === `${symbol}.${venue}` ? id : `${symbol}.SIM`,
    symbol,
    venue: id === `${symbol}.${venue}` ? venue : 'SIM',
    base,
    tick: decimal(tick.unitCount),
    lot: decimal(lot.unitCount),
    min_quantity: decimal(minQuantity * lot.unitCount),
    maker_fee: decimal(terms.makerFeePpm * 100),
    taker_fee: decimal(terms.takerFeePpm * 100),
    margin_rate: decimal(terms.marginRatePpm * 100),
  }
}

/** Of a number of 0.00000001. */
function decimal(units: number): string {
  return (Math.round(units) / 1e8).toFixed(8)
}
