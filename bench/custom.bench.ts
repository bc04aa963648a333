import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conclude, median } from './figures.ts'
import type { Load, LoadResult } from './load-client.ts'
import { loadFigures, runLoad } from './run-load.ts'
import { startServerProcess } from './server-process.ts'

/** Orders by hand while custom strategies burn what they can: one that thinks all the time, one that never ends. */

const ROUNDS = 5
const SECONDS = 8
const CLIENTS = 2
/** Two busy pairs of hands: what is measured is how long each waits. */
const BY_HAND_MS = 50
const RATIO_LIMIT = 1.5
const SETTLE_MS = 1500

const MODULES = {
  'thinks.ts': 'export const createStrategy = () => ({ onQuote() { burn(900) } })',
  'loops.ts': 'export const createStrategy = () => ({ onQuote() { for (;;) {} } })',
}
/** The module's clock stands still while it thinks, so it counts instead of looking. */
const BURN = 'function burn(ms) { for (let i = 0; i < ms * 4e5; i++) Math.sqrt(i) }\n'

const folder = await mkdtemp(join(tmpdir(), 'binnacle-custom-'))
const dataFolder = join(folder, 'data')
await mkdir(join(dataFolder, 'strategies'), { recursive: true })
for (const [name, text] of Object.entries(MODULES)) {
  await writeFile(join(dataFolder, 'strategies', name), BURN + text)
}
const server = await startServerProcess(dataFolder)
await call('POST', '/api/risk/limits', {
  max_order_size: 1e9,
  max_position_size: 1e9,
  max_daily_loss: 1e9,
  max_positions: 100,
})
const ids = await Promise.all(Object.keys(MODULES).map(addStrategy))
const bodies = ['BUY', 'SELL'].map((side) => ({
  instrument: 'BTCUSDT-PERP',
  side,
  type: 'MARKET',
  quantity: 0.001,
}))
const orders: Load = {
  url: server.url,
  method: 'POST',
  path: '/api/orders',
  bodies,
  expected: 201,
  clients: CLIENTS,
  seconds: SECONDS,
}

await runLoad({ ...orders, seconds: 2 })
let restarts = 0
const byHand = await measure({ ...orders, everyMs: BY_HAND_MS })
// Without a pause the clients use all processors themselves: printed, not limited.
const unpaced = await measure(orders)
const failing = await statusesOf()
await server.end('SIGTERM')
await rm(folder, { recursive: true })

console.table({
  'by hand, alone': loadFigures(byHand.map(({ alone }) => alone)),
  'by hand, beside two custom strategies': loadFigures(byHand.map(({ beside }) => beside)),
  'without a pause, alone': loadFigures(unpaced.map(({ alone }) => alone)),
  'without a pause, beside them': loadFigures(unpaced.map(({ beside }) => beside)),
})
console.log(`The endless one was ended and started again ${restarts} times; now: ${failing.join(', ')}`)
conclude([
  {
    what: 'p99 of orders by hand beside looping strategies, as a multiple of p99 alone',
    figure: median(byHand.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)),
    limit: RATIO_LIMIT,
    must: 'not exceed',
  },
  {
    what: 'replies other than expected',
    figure: [...byHand, ...unpaced].reduce(
      (sum, { alone, beside }) => sum + alone.failures + beside.failures,
      0,
    ),
    limit: 0,
    must: 'not exceed',
  },
])

interface Round {
  readonly alone: LoadResult
  readonly beside: LoadResult
}

async function measure(load: Load): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // What else the machine does may grow or fade over a round: each of the two is first in turn.
    const before = round % 2 === 0 ? await runLoad(load) : null
    const beside = await besideStrategies(() => runLoad(load))
    rounds.push({ alone: before ?? (await runLoad(load)), beside })
  }
  return rounds
}

/** Does the work while both strategies run; whichever is ended is started again at once. */
async function besideStrategies(work: () => Promise<LoadResult>): Promise<LoadResult> {
  let isDone = false
  for (const id of ids) await call('POST', `/api/strategies/${id}/start`)
  // Starting is a person's act; what is measured is what goes on afterwards.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const measured = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    restarts += await restartFailed()
  }
  for (const id of ids) await call('POST', `/api/strategies/${id}/stop`)
  return measured
}

interface Listed {
  strategies: { id: string; name: string; status: string }[]
}

async function restartFailed(): Promise<number> {
  const { strategies } = await call<Listed>('GET', '/api/strategies')
  const failed = strategies.filter(({ status }) => status === 'error')
  for (const { id } of failed) await call('POST', `/api/strategies/${id}/start`)
  return failed.length
}

async function statusesOf(): Promise<string[]> {
  const { strategies } = await call<Listed>('GET', '/api/strategies')
  return strategies.map(({ name, status }) => `${name} ${status}`)
}

async function addStrategy(module: string): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/api/strategies', {
    name: module,
    type: 'custom',
    description: '',
    config: { module, warm_up_bars: 0 },
  })
  return id
}

async function call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  // Our own server's reply, in the contract's shape.
  return reply.json() as Promise<Reply>
}
