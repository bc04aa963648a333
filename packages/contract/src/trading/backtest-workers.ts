import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object } from '#object.ts'
import { listOf } from '#shared.ts'

export const BacktestWorker = object(() => ({
  name: z.string(),
  host: z.string(),
  version: z.string(),
  threads: z.number(),
  busy: z.number().describe('Runs that it does now'),
  done: z.number().describe('Runs since it was started'),
  runs_per_minute: z.number(),
  started_at: z.string(),
  lost_s: z
    .number()
    .nullable()
    .describe('Seconds since the last report of a worker that ended without notice; null while it reports'),
  excluded: z.string().nullable().describe('Why it receives no runs; null when it does'),
})).meta({ id: 'BacktestWorker' })
export type BacktestWorker = z.output<typeof BacktestWorker>

export const backtestWorkers = {
  list: tradingEndpoint('GET /api/nautilus/backtest-workers', {
    summary: 'Where backtests run, and the workers on other machines',
    role: 'viewer',
    origin: { capability: 'sweeps' },
    reply: listOf('workers', BacktestWorker, {
      queue: z
        .enum(['off', 'connected', 'unreachable'])
        .describe('off: backtests run in the server, without workers'),
      waiting: z.number().describe('Runs that no worker has begun'),
    }),
  }),
}
