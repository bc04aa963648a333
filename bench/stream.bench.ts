import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { conclude, median } from './figures.ts'
import type { Load, LoadResult } from './load-client.ts'
import { loadFigures, runInTurns } from './run-load.ts'
import { startServerProcess } from './server-process.ts'

/**
 * Orders with and without 200 streams that get every change of theirs, in turns on one server. The server has the first
 * core and all clients the second, so that the ratio is the server's own.
 */

const CLIENTS = 200
const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 5)
const SECONDS = 5
const RATIO_LIMIT = 1.5
const CHANGES_LIMIT = 100

// The clients are started by this process and stay on its core.
const arePinned = pinToCore(process.pid, 1)
const folder = await mkdtemp(join(tmpdir(), 'binnacle-stream-'))
const server = await startServerProcess(join(folder, 'data'))
const isServerPinned = pinToCore(server.child.pid ?? 0, 0)
// Orders that are filled together are one change: four rounds of 16 a second make more than 100 with the figures.
const orders: Load = {
  url: server.url,
  method: 'POST',
  path: '/api/orders',
  bodies: ['BUY', 'SELL'].map((side) => ({
    instrument: 'BTCUSDT-PERP',
    side,
    type: 'MARKET',
    quantity: 0.001,
  })),
  expected: 201,
  clients: 16,
  everyMs: 250,
  seconds: SECONDS,
}
await placeOrders()
const alone = []
const beside = []
const changes: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  alone.push(await placeOrders())
  const streams = await openStreams()
  await streams.changes()
  const startMs = performance.now()
  beside.push(await placeOrders())
  changes.push((await streams.changes()) / CLIENTS / ((performance.now() - startMs) / 1000))
  await streams.end()
}
await server.end('SIGTERM')
await rm(folder, { recursive: true })

console.log(
  arePinned && isServerPinned
    ? 'The server had core 0, the clients core 1.'
    : 'Not pinned to cores: taskset is not installed, or there is only one core.',
)
console.table({ 'orders alone': loadFigures(alone), [`beside ${CLIENTS} streams`]: loadFigures(beside) })
conclude([
  {
    what: 'p99 of orders beside the streams, as a multiple of alone',
    figure: median(beside.map(({ p99Ms }) => p99Ms)) / median(alone.map(({ p99Ms }) => p99Ms)),
    limit: RATIO_LIMIT,
    must: 'not exceed',
  },
  { what: 'changes a second and client', figure: median(changes), limit: CHANGES_LIMIT, must: 'reach' },
])

/** Returns whether all threads of the process, and those that it starts, run on this core alone. */
function pinToCore(pid: number, core: number): boolean {
  return spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]).status === 0
}

/** The first orders of a new process are the slowest hundredth: it connects and compiles meanwhile. They are not counted. */
async function placeOrders(): Promise<LoadResult> {
  const [result] = await runInTurns({ loads: [orders], turns: 1, warmTurns: 1 })
  if (result === undefined) throw new Error('the clients ended without a result')
  return result
}

async function openStreams() {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'stream-clients.ts'), server.url, String(CLIENTS)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    async changes(): Promise<number> {
      child.stdin.write('\n')
      return Number((await lines.next()).value)
    },
    async end(): Promise<void> {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
