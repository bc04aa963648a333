import { z } from 'zod'
import { backtestProgram, type NodeBacktest, startBacktest } from '#backtest-process.ts'

const Result = z.object({
  final_equity: z.number(),
  trades_total: z.number(),
  orders: z.number(),
  trades: z.array(z.object({ side: z.string(), pnl: z.number(), fees: z.number() })),
})

/** Runs it in a process of its own; `seconds` is the run alone, without loading Python and the bars. */
export async function runNodeBacktest(python: string, backtest: NodeBacktest) {
  let begunAt = 0
  const run = startBacktest(backtestProgram(python), backtest, {
    onRunning: () => {
      begunAt = performance.now()
    },
    onLine: (line) => console.error(line),
  })
  const ending = await run.ended
  if (ending.kind !== 'result') throw new Error(`The backtest failed: ${JSON.stringify(ending)}`)
  return { ...Result.parse(ending.result), seconds: (performance.now() - begunAt) / 1_000 }
}
