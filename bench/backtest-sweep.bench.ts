import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { standardInstruments } from '@binnacle/engine'
import { openAdminStore, openBacktests, openCatalog } from '@binnacle/server'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, median, rounded } from './figures.ts'
import type { Load, LoadResult } from './load-client.ts'
import { loadFigures, runInTurns } from './run-load.ts'
import { startServerProcess } from './server-process.ts'
import {
  call,
  cancelSweep,
  DAYS,
  FULL_SETS,
  hashOf,
  LASTING_SETS,
  readSweep,
  recordBars,
  SETS,
  startSweep,
  sweepOf,
  watchSweep,
} from './sweeps.ts'

/**
 * A sweep of 500 sets over a year of 1-minute bars on the real server: how long it takes, its progress and priority, how
 * long orders and health take beside it, and its cancel. Then the same sets on one thread and on two, in turns with one
 * and two processes that share nothing: two processors of a machine are often less than twice one. The threads have the
 * lowest priority, so that whatever else runs on the machine changes their pace: their CPU time per set does not depend on
 * it as much. It counts all threads of the process; beside one thread, V8's own and the reading of bars have a processor
 * to themselves.
 * `BINNACLE_BENCH_SETS=60 BINNACLE_BENCH_ROUNDS=2` takes about two minutes.
 */

const ROUNDS = Number(process.env.BINNACLE_BENCH_ROUNDS ?? 5)
/** By hand: what is measured is how long each waits, not how many there can be. */
const CLIENTS = 2
const BY_HAND_MS = 50
const SECONDS = 1
const TURNS = 8
const WARM_TURNS = 2
/**
 * Sets on one thread and on two. Reading the bars, which one thread does, takes as long as eight of them: with few sets
 * it would be that which is measured.
 */
const SCALING_SETS = 160
/** Sets of each process that shares nothing. */
const ALONE_SETS = Math.ceil(SCALING_SETS / 4)

const PROGRESS_LIMIT = 0.1
const P99_LIMIT = 2
const CANCEL_LIMIT_S = 1
const SCALING_LIMIT = 1.8
/** The same where two processes do less than twice as much as one. */
const SHARE_LIMIT = 0.9

const folder = await temporaryFolder()
const dataFolder = join(folder, 'data')
await recordBars(dataFolder)
const server = await startServerProcess(dataFolder)
await call(server.url, 'POST', '/api/risk/limits', {
  max_order_size: 1e9,
  max_position_size: 1e9,
  max_daily_loss: 1e9,
  max_positions: 100,
})

const whole = await timeWhole()
const rounds: Round[] = []
for (let round = 0; round < ROUNDS; round++) rounds.push(await besideSweep())
await server.end('SIGTERM')
const scaling = await measureThreads()
await removeFolder(folder)

console.table({
  [`${SETS} sets over ${DAYS} days of 1-minute bars`]: {
    seconds: rounded(whole.seconds),
    'ms per set': rounded((whole.seconds * 1000) / SETS),
    'bars/s': Math.round((SETS * DAYS * 1_440) / whole.seconds),
  },
})
if (SETS < FULL_SETS)
  console.log(`At this pace ${FULL_SETS} sets take ${rounded((whole.seconds * FULL_SETS) / SETS)} s.`)
console.table({
  'GET /health, idle': loadFigures(rounds.map(({ idle }) => idle.health)),
  'GET /health beside the sweep': loadFigures(rounds.map(({ beside }) => beside.health)),
  'POST /api/orders, idle': loadFigures(rounds.map(({ idle }) => idle.orders)),
  'POST /api/orders beside the sweep': loadFigures(rounds.map(({ beside }) => beside.orders)),
})
console.table({
  'on one thread': paceOf(scaling.map(({ one }) => one)),
  'on two': paceOf(scaling.map(({ two }) => two)),
})
const gain = median(scaling.map(({ one, two }) => one.seconds / two.seconds))
const machineGain = median(scaling.map((turn) => (2 * turn.alone) / turn.together))
console.log(
  `Two threads do ${rounded(gain)} times as much as one; two processes that share nothing ${rounded(machineGain)} times.`,
)
conclude([
  {
    what: 'largest step of the progress shown, as a share of the sets',
    figure: whole.largestStep / SETS,
    limit: PROGRESS_LIMIT,
    must: 'not exceed',
  },
  {
    what: 'threads at low priority, as a share of the threads of a sweep',
    figure: median(rounds.map(({ lowThreads }) => lowThreads)) / availableParallelism(),
    limit: 1,
    must: 'reach',
  },
  ...(['health', 'orders'] as const).map((load) => ({
    what: `p99 of ${load} beside the sweep, as a multiple of idle`,
    figure: median(rounds.map(({ idle, beside }) => beside[load].p99Ms / idle[load].p99Ms)),
    limit: P99_LIMIT,
    must: 'not exceed' as const,
  })),
  {
    what: 'replies other than expected',
    figure: rounds
      .flatMap(({ idle, beside }) => [idle.health, idle.orders, beside.health, beside.orders])
      .reduce((sum, { failures }) => sum + failures, 0),
    limit: 0,
    must: 'not exceed',
  },
  {
    what: 'longest time from cancel to stopped, s',
    figure: Math.max(...rounds.map(({ cancelS }) => cancelS)),
    limit: CANCEL_LIMIT_S,
    must: 'not exceed',
  },
  { what: 'two threads as a multiple of one', figure: gain, limit: SCALING_LIMIT, must: 'reach' },
  {
    what: 'gain of a second thread, as a share of what the machine gives two processes',
    figure: gain / machineGain,
    limit: SHARE_LIMIT,
    must: 'reach',
  },
])

async function timeWhole(): Promise<{ seconds: number; largestStep: number }> {
  const startMs = performance.now()
  const seen = await watchSweep(server.url, await startSweep(server.url))
  const seconds = (performance.now() - startMs) / 1000
  const last = seen.at(-1)
  if (last) hashOf(last)
  const steps = seen.map(({ done }, nth) => done - (seen[nth - 1]?.done ?? 0))
  return { seconds, largestStep: Math.max(...steps) }
}

type Loads = Record<'health' | 'orders', LoadResult>

interface Round {
  idle: Loads
  beside: Loads
  lowThreads: number
  cancelS: number
}

/** The load alone, then beside a sweep that is cancelled at the end. */
async function besideSweep(): Promise<Round> {
  const idle = await runLoads()
  const id = await startSweep(server.url, LASTING_SETS)
  await watchSweep(server.url, id, ({ done }) => done > 0)
  const beside = await runLoads()
  const lowThreads = countLowThreads(server.child.pid)
  const { status } = await readSweep(server.url, id)
  if (status !== 'running') throw new Error('The sweep ended before the load did: use more days')
  const startMs = performance.now()
  await cancelSweep(server.url, id)
  return { idle, beside, lowThreads, cancelS: (performance.now() - startMs) / 1000 }
}

async function runLoads(): Promise<Loads> {
  const base = { url: server.url, clients: CLIENTS, everyMs: BY_HAND_MS, seconds: SECONDS }
  const side = (name: string) => ({ instrument: 'BTCUSDT-PERP', side: name, type: 'MARKET', quantity: 0.001 })
  const loads: Load[] = [
    { ...base, method: 'GET', path: '/health', expected: 200 },
    { ...base, method: 'POST', path: '/api/orders', bodies: ['BUY', 'SELL'].map(side), expected: 201 },
  ]
  const [health, orders] = await runInTurns({ loads, turns: TURNS, warmTurns: WARM_TURNS })
  if (health === undefined || orders === undefined) throw new Error('a load has no result')
  return { health, orders }
}

/** Threads of Linux have a priority of their own; elsewhere there is nothing to count. */
function countLowThreads(pid: number | undefined): number {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).filter((task) => {
    // After the name, which may have spaces, the 17th field is the niceness.
    const [, fields = ''] = readFileSync(join(tasks, task, 'stat'), 'utf8').split(') ')
    return Number(fields.split(' ')[16]) > 0
  }).length
}

/** The sets on some threads. */
interface TimedSets {
  seconds: number
  cpuSeconds: number
}

function paceOf(timed: readonly TimedSets[]) {
  return {
    'sets/s': rounded(SCALING_SETS / median(timed.map(({ seconds }) => seconds))),
    'CPU ms per set': rounded((1000 * median(timed.map(({ cpuSeconds }) => cpuSeconds))) / SCALING_SETS),
  }
}

interface ScalingTurn {
  one: TimedSets
  two: TimedSets
  /** Of one process, and of two at once with as many sets each. */
  alone: number
  together: number
}

/** The same sets on one thread and on two. In turns that change places, since the pace of the machine changes. */
async function measureThreads(): Promise<ScalingTurn[]> {
  const catalog = await openCatalog(join(dataFolder, 'catalog'), standardInstruments())
  const store = await openAdminStore(join(folder, 'admin.sqlite'))
  const [one, two] = [1, 2].map((threads) =>
    openBacktests({
      store: store.backtests,
      sweepsStore: store.sweeps,
      modulesStore: store.modules,
      recorded: { count: catalog.count, spanOf: catalog.spanOf, folder: join(dataFolder, 'catalog') },
      strategiesFolder: join(folder, 'strategies'),
      threads,
    }),
  )
  if (one === undefined || two === undefined) throw new Error('two were opened')
  const processes = [await startAlone(), await startAlone()]
  // Not counted: each thread and process compiles what it runs.
  await timeSets(one)
  await timeSets(two)
  await timeAlone(processes)
  const turns: ScalingTurn[] = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const isReversed = turn % 2 === 1
    const first = await timeSets(isReversed ? two : one)
    const second = await timeSets(isReversed ? one : two)
    turns.push({
      one: isReversed ? second : first,
      two: isReversed ? first : second,
      alone: await timeAlone(processes.slice(1)),
      together: await timeAlone(processes),
    })
  }
  for (const each of processes) each.disconnect()
  await one.close()
  await two.close()
  await store.close()
  catalog.close()
  return turns
}

async function startAlone() {
  const child = fork(join(import.meta.dirname, 'sweep-alone.ts'))
  await once(child, 'message')
  return child
}

async function timeAlone(processes: readonly Awaited<ReturnType<typeof startAlone>>[]): Promise<number> {
  const startMs = performance.now()
  await Promise.all(
    processes.map((child) => {
      child.send(ALONE_SETS)
      return once(child, 'message')
    }),
  )
  return (performance.now() - startMs) / 1000
}

async function timeSets({ sweeps }: ReturnType<typeof openBacktests>): Promise<TimedSets> {
  const audit = { actor: 'bench', role: 'admin', address: null, action: 'sweeps.start', requestId: null }
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  const row = await sweeps.start(audit, sweepOf(SCALING_SETS))
  if (!('id' in row)) throw new Error(row.detail)
  await sweeps.ended(row.id)
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}
