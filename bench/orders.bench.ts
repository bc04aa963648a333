import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conclude } from './figures.ts'
import type { Load } from './load-client.ts'
import { loadFigures, runInTurns } from './run-load.ts'
import { startServerProcess } from './server-process.ts'

/** Orders that are durable when they are answered, over HTTP, beside the cheapest call of the same server. */

const CLIENTS = 32
/** Many and short, since the pace of a machine that others use too changes from one second to the next. */
const TURNS = 60
const WARM_TURNS = 10
const SECONDS = 0.5
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
  instrument: 'BTCUSDT-PERP',
  side,
  type: 'MARKET',
  quantity: 0.001,
}))
const orders: Load = { ...base, method: 'POST', path: '/api/orders', bodies: sides, expected: 201 }

const [healthResult, ordersResult] = await runInTurns({
  loads: [health, orders],
  turns: TURNS,
  warmTurns: WARM_TURNS,
})
await server.end('SIGTERM')
await rm(folder, { recursive: true })
if (healthResult === undefined || ordersResult === undefined) throw new Error('a load has no result')

console.table({
  'GET /health': loadFigures([healthResult]),
  'POST /api/orders': loadFigures([ordersResult]),
})
conclude([
  {
    what: `orders/s as a share of health/s, ${CLIENTS} clients`,
    figure: ordersResult.perSecond / healthResult.perSecond,
    limit: SHARE_LIMIT,
    must: 'reach',
  },
  {
    what: 'ms that 99 % of the orders take',
    figure: ordersResult.p99Ms,
    limit: P99_LIMIT_MS,
    must: 'not exceed',
  },
  {
    what: 'replies other than expected',
    figure: healthResult.failures + ordersResult.failures,
    limit: 0,
    must: 'not exceed',
  },
])

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
}
