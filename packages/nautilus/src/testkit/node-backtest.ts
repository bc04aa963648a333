import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { BarColumns, Instrument } from '@binnacle/engine'
import { z } from 'zod'
import { BRIDGE_FOLDER } from '#python.ts'

/** A backtest as the embedded engine takes it, for NautilusTrader's BacktestEngine. */
export interface NodeBacktest {
  readonly instrument: Instrument
  readonly bars: BarColumns
  readonly strategy: { readonly type: string; readonly config: Readonly<Record<string, unknown>> }
  readonly capital: number
  readonly slippageBps: number
}

const Result = z.object({
  final_equity: z.number(),
  trades_total: z.number(),
  orders: z.number(),
  trades: z.array(z.object({ side: z.string(), pnl: z.number(), fees: z.number() })),
})

/** Runs it in a process of its own; `seconds` is the run alone, without loading Python and the bars. */
export async function runNodeBacktest(python: string, backtest: NodeBacktest) {
  const env = { ...process.env, PYTHONPATH: BRIDGE_FOLDER }
  const child = spawn(python, ['-B', '-m', 'nautilus_bridge.backtest_worker'], {
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    env,
  })
  const exited = once(child, 'exit')
  child.stdin?.end(`${JSON.stringify(requestOf(backtest))}\n`)
  let begunAt = 0
  let seconds = 0
  let last: unknown = null
  // File descriptor 3 is a pipe from the child.
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const frame: { k: string } = JSON.parse(line)
    if (frame.k === 'running') begunAt = performance.now()
    if (frame.k === 'result' || frame.k === 'failed') {
      seconds = (performance.now() - begunAt) / 1_000
      last = frame
    }
  }
  await exited
  const parsed = z.object({ result: Result }).safeParse(last)
  if (!parsed.success) throw new Error(`The backtest failed: ${JSON.stringify(last)}`)
  return { ...parsed.data.result, seconds }
}

function requestOf({ instrument, bars, strategy, capital, slippageBps }: NodeBacktest) {
  const tick = instrument.tick.unitCount / 1e8
  const lot = instrument.lot.unitCount / 1e8
  const rows = Array.from({ length: bars.length }, (_, row) => [
    bars.start[row],
    ...[bars.open, bars.high, bars.low, bars.close].map((column) => decimal((column[row] ?? 0) * tick)),
    decimal((bars.volume[row] ?? 0) * lot),
  ])
  const first = bars.start[0] ?? 0
  return {
    instruments: [
      {
        id: `${instrument.symbol}.SIM`,
        symbol: instrument.symbol,
        venue: 'SIM',
        base: 'BTC',
        tick: String(tick),
        lot: String(lot),
        min_quantity: String(instrument.minQuantity * lot),
        maker_fee: String(instrument.makerFeePpm / 1e6),
        taker_fee: String(instrument.takerFeePpm / 1e6),
        margin_rate: '0.1',
      },
    ],
    bars: [{ rows }],
    interval: bars.interval,
    strategy,
    from: first,
    to: (bars.start[bars.length - 1] ?? 0) + 1,
    initial_cash: capital,
    slippage_bps: slippageBps,
  }
}

/** Ticks times their value, without the rounding error of the product. */
function decimal(value: number): number {
  return Math.round(value * 1e8) / 1e8
}
