import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BRIDGE_FOLDER, findPython, NautilusDesk, NodeClient } from '@binnacle/nautilus'
import { conclude, median, percentile, rounded } from './figures.ts'

/**
 * A NautilusTrader node with 1,000 quotes a second: the time from an event in the node to the console, and from a submit
 * to its acceptance. Then a console that starts beside a node with 10,000 orders, until its rows are true.
 */

const ROOT = join(import.meta.dirname, '..')
const INSTRUMENT = 'BTCUSDT-PERP.SIM'
/** Six instruments are quoted at each step. */
const QUOTE_MS = 6
const ROUND_TRIPS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 500)
const ORDERS = Number(process.env.BINNACLE_BENCH_ORDERS ?? 10_000)
const STARTS = 3
const EVENT_LIMIT_MS = 50
const START_LIMIT_MS = 2_000

const [task, socketOfParent = ''] = process.argv.slice(2)
if (task === 'start') await measureStart(socketOfParent)
else await measure()

async function measure(): Promise<void> {
  const python = process.env.BINNACLE_NAUTILUS_PYTHON ?? findPython(join(ROOT, '.cache', 'nautilus'))
  if (python === null) {
    console.log('SKIPPED: NautilusTrader is not installed; `npm test nautilus` installs it.')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-nautilus-'))
  const path = join(folder, 'node.sock')
  const node = await startNode(python, folder, path)
  const client = await connect(path)
  const events: number[] = []
  const stop = client.onChange((change) => {
    if (change.kind === 'event') events.push(nowMs() - Number(change.event.ts) / 1e6)
  })
  const submits: number[] = []
  for (let round = 0; round < ROUND_TRIPS; round += 1) {
    const startMs = performance.now()
    const placed = await request(client, 'order.submit', order('BUY', { type: 'LIMIT', price: '1000' }))
    submits.push(performance.now() - startMs)
    await request(client, 'order.cancel', { order_id: placed.order_id })
  }
  stop()
  await placeMany(client, ORDERS)
  await client.close()
  const starts: number[] = []
  for (let start = 0; start < STARTS; start += 1) starts.push(await startConsole(path))
  node.kill('SIGTERM')
  await once(node, 'exit')
  await rm(folder, { recursive: true })
  console.table({
    'event to console': summary(events),
    'submit to accepted': summary(submits),
    [`start beside ${ORDERS} orders`]: summary(starts),
  })
  conclude([
    {
      what: 'event to console, p99 ms',
      figure: percentile(events, 99),
      limit: EVENT_LIMIT_MS,
      must: 'not exceed',
    },
    {
      what: 'start to true rows, median ms',
      figure: median(starts),
      limit: START_LIMIT_MS,
      must: 'not exceed',
    },
  ])
}

function summary(figures: readonly number[]) {
  return {
    count: figures.length,
    'p50 ms': rounded(median(figures)),
    'p99 ms': rounded(percentile(figures, 99)),
  }
}

/** On the clock of the machine, which the node's times are of. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

async function startNode(python: string, folder: string, path: string): Promise<ChildProcess> {
  const args = ['-m', 'nautilus_bridge.launcher', '--data', folder, '--socket', path]
  const node = spawn(python, [...args, '--quote-ms', String(QUOTE_MS), '--balance', '10000000'], {
    env: { ...process.env, PYTHONPATH: BRIDGE_FOLDER },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(node.stdout, 'data')
  return node
}

async function connect(path: string): Promise<NodeClient> {
  const client = new NodeClient({ address: { kind: 'socket', path } })
  const desk = new NautilusDesk(client)
  while (!desk.views.engine().isRunning || desk.views.quotes().length === 0) await desk.changed()
  return client
}

function order(side: 'BUY' | 'SELL', terms: Record<string, string>): Record<string, unknown> {
  return { instrument_id: INSTRUMENT, side, quantity: '0.001', tif: 'GTC', reduce_only: false, ...terms }
}

async function request(client: NodeClient, name: string, args: Record<string, unknown>) {
  const outcome = await client.request({ name, args, actor: 'bench' })
  if (outcome.status !== 'completed') throw new Error(`${name}: ${JSON.stringify(outcome)}`)
  return outcome.data
}

/** Market orders of both sides, so that none stays open; one after the other, since a node takes 1,000 a second. */
async function placeMany(client: NodeClient, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await request(client, 'order.submit', order(index % 2 === 0 ? 'BUY' : 'SELL', { type: 'MARKET' }))
  }
}

/** From the start of its process until the console shows all orders. */
async function startConsole(path: string): Promise<number> {
  const child = spawn(process.execPath, [import.meta.filename, 'start', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  await once(child, 'exit')
  return Number(String(line))
}

async function measureStart(path: string): Promise<void> {
  const client = new NodeClient({ address: { kind: 'socket', path } })
  const desk = new NautilusDesk(client)
  while (!desk.views.engine().isRunning) await desk.changed()
  const { FILLED } = desk.orderHistory.count({})
  if (FILLED < ORDERS) throw new Error(`${FILLED} of ${ORDERS} orders are shown`)
  console.log(performance.now())
  await client.close()
}
