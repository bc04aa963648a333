import { Session } from 'node:inspector/promises'
import { parseConfig, startServer } from '@binnacle/server'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, rounded, slopeOf } from './figures.ts'
import { runLoad } from './run-load.ts'

/**
 * An hour of orders against the server in this process: the slope of each thread's heap after full collections. Not part
 * of `npm run bench`; `node bench/soak.ts 2` runs it for two minutes.
 */

const MINUTES = Number(process.argv[2] ?? 60)
/** Caches fill and code is compiled meanwhile. */
const WARM_SHARE = 0.25
const SAMPLES = 20
const SLOPE_LIMIT_MB_PER_MINUTE = 0.5
const CLIENTS = 8
const EVERY_MS = 200

const folder = await temporaryFolder()
const server = await startServer(
  parseConfig({
    BINNACLE_DATA: folder,
    BINNACLE_SITE: 'none',
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '0',
    BINNACLE_DATABASE_PORT: '0',
    BINNACLE_HISTORY_DAYS: '0',
  }),
)
const url = `http://127.0.0.1:${server.ports.trading}`
const collectAll = await createCollector()
const bodies = ['BUY', 'SELL'].map((side) => ({
  instrument: 'BTCUSDT-PERP',
  side,
  type: 'MARKET',
  quantity: 0.001,
}))
const seconds = (MINUTES * 60) / SAMPLES
const samples: Record<string, number>[] = []
for (let sample = 0; sample < SAMPLES; sample++) {
  const load = { url, method: 'POST', path: '/api/orders', bodies, expected: 201 } as const
  await runLoad({ ...load, clients: CLIENTS, seconds, everyMs: EVERY_MS })
  await collectAll()
  samples.push(await readHeaps())
  console.log(JSON.stringify({ minute: rounded(((sample + 1) * seconds) / 60), ...samples.at(-1) }))
}
await server.close(5000)
await removeFolder(folder)

const counted = samples.slice(Math.ceil(SAMPLES * WARM_SHARE))
conclude(
  Object.keys(counted[0] ?? {}).map((thread) => ({
    what: `${thread}: MB per minute`,
    figure: slopeOf(counted.map((heaps) => heaps[thread] ?? 0)) / (seconds / 60),
    limit: SLOPE_LIMIT_MB_PER_MINUTE,
    must: 'not exceed',
  })),
)

/** Heap and external memory of each thread, in MB, as the API reports them. */
async function readHeaps(): Promise<Record<string, number>> {
  const reply = await fetch(`${url}/api/system/memory`)
  const { threads }: { threads: Heap[] } = JSON.parse(await reply.text())
  return Object.fromEntries(
    threads.map(({ name, heap_used, external }) => [name, rounded((heap_used + external) / 1e6)]),
  )
}

interface Heap {
  name: string
  heap_used: number
  external: number
}

/** Collects the garbage of this thread and, through the inspector, of every worker. */
async function createCollector(): Promise<() => Promise<void>> {
  const session = new Session()
  session.connect()
  const workers = new Set<string>()
  session.on('NodeWorker.attachedToWorker', ({ params }) => workers.add(params.sessionId))
  session.on('NodeWorker.detachedFromWorker', ({ params }) => workers.delete(params.sessionId))
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return async () => {
    await session.post('HeapProfiler.collectGarbage')
    for (const sessionId of workers) await collectIn(session, sessionId)
  }
}

async function collectIn(session: Session, sessionId: string): Promise<void> {
  const collected = new Promise<void>((resolve) => {
    session.once('NodeWorker.receivedMessageFromWorker', () => resolve())
  })
  const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' })
  await session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
  await collected
}
