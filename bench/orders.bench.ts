import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { conclude, median, rounded } from './figures.ts'
import type { Load, LoadResult } from './load-client.ts'
import { startServerProcess } from './server-process.ts'

/** Orders that are durable when they are answered, over HTTP, beside the cheapest call of the same server. */

const CLIENTS = 32
const ROUNDS = 3
const SECONDS = 4
const SHARE_LIMIT = 0.4
const P99_LIMIT_MS = 25

const folder = await mkdtemp(join(tmpdir(), 'binnacle-orders-'))
const server = await startServerProcess(join(folder, 'data'))
// What is measured is the path of an order, not its refusal: limits that no order of this run meets.
await post('/api/risk/limits', {
  max_order_size: 1e9,
  max_position_size: 1e9,
  max_daily_loss: 1e9,
  max_positions: 100,
})
const base = { url: server.url, clients: CLIENTS, seconds: SECONDS }
const health: Load = { ...base, method: 'GET', path: '/health', expected: 200 }
const sides = ['BUY', 'SELL'].map((side) => ({
  instrument: 'BTCUSDT',
  side,
  type: 'MARKET',
  quantity: 0.001,
}))
const orders: Load = { ...base, method: 'POST', path: '/api/orders', bodies: sides, expected: 201 }

await run({ ...health, seconds: 1 })
await run({ ...orders, seconds: 2 })
const rounds: { health: LoadResult; orders: LoadResult }[] = []
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({ health: await run(health), orders: await run(orders) })
}
await server.end('SIGTERM')
await rm(folder, { recursive: true })

console.table(
  Object.fromEntries(
    (['health', 'orders'] as const).map((name) => [
      name === 'health' ? 'GET /health' : 'POST /api/orders',
      figuresOf(rounds.map((round) => round[name])),
    ]),
  ),
)
conclude([
  {
    what: `orders/s as a share of health/s, ${CLIENTS} clients`,
    figure: median(rounds.map((round) => round.orders.perSecond / round.health.perSecond)),
    limit: SHARE_LIMIT,
    must: 'reach',
  },
  {
    what: 'ms that 99 % of the orders take',
    figure: median(rounds.map((round) => round.orders.p99Ms)),
    limit: P99_LIMIT_MS,
    must: 'not exceed',
  },
  {
    what: 'replies other than expected',
    figure: rounds.reduce((sum, round) => sum + round.health.failures + round.orders.failures, 0),
    limit: 0,
    must: 'not exceed',
  },
])

function figuresOf(results: readonly LoadResult[]) {
  return {
    'per second': Math.round(median(results.map(({ perSecond }) => perSecond))),
    'p50 ms': rounded(median(results.map(({ p50Ms }) => p50Ms))),
    'p99 ms': rounded(median(results.map(({ p99Ms }) => p99Ms))),
  }
}

/** The clients have a process of their own, so that their work is not the server's. */
async function run(load: Load): Promise<LoadResult> {
  const client = join(import.meta.dirname, 'load-client.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [client, JSON.stringify(load)])
  return JSON.parse(stdout)
}

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
}
