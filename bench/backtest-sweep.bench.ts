import { once } from 'node:events'
import { join } from 'node:path'
import { standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { openAdminStore, openBacktests, openCatalog } from '@binnacle/server'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, median, rounded } from './figures.ts'

/** A sweep over parameters on one thread and on two, and how long a cancelled run takes to stop. */

const BARS = 1_000_000
/** Before that each thread has compiled what it runs, as those of a server have after a while. */
const WARM_RUNS = 6
/** Fast averages from FASTEST on, so many different ones: what each thread runs in one turn. */
const FASTEST = 5
const DIFFERENT = 8
/** Many and short, since the pace of a machine that others use too changes from one second to the next. */
const TURNS = 10
const SCALING_LIMIT = 1.8
const CANCEL_LIMIT_S = 1
const CANCELS = 5

type Backtests = ReturnType<typeof openBacktests>
type Request = Parameters<Backtests['start']>[1]

const TERMS = { initial_cash: 100_000, slippage_bps: 0.5, latency_ms: 0, seed: 1 }
const FROM = Date.UTC(2024, 0, 1)
const ACT = { actor: 'bench', role: 'admin', address: null, action: 'backtests.start', requestId: null }

const folder = await temporaryFolder()
const catalog = await openCatalog(join(folder, 'catalog'), standardInstruments())
await catalog.writeBars(walkBars({ rows: BARS, seed: 7, startAt: FROM }))
const store = await openAdminStore(join(folder, 'admin.sqlite'))

const one = await warmedUp(1)
const two = await warmedUp(2)
for (let turn = 0; turn < TURNS; turn++) {
  await sweep(one)
  await sweep(two)
}
await one.backtests.close()
await two.backtests.close()
const cancelS = await timesToCancel()
await store.close()
catalog.close()
await removeFolder(folder)

console.table({ 'on one thread': rowOf(one), 'on two': rowOf(two) })
console.table({ 'from cancel to stopped': { 'median ms': rounded(median(cancelS) * 1000) } })
conclude([
  {
    what: 'two threads as a multiple of one',
    figure: barsPerSecond(two) / barsPerSecond(one),
    limit: SCALING_LIMIT,
    must: 'reach',
  },
  {
    what: 'longest time to stop, s',
    figure: Math.max(...cancelS),
    limit: CANCEL_LIMIT_S,
    must: 'not exceed',
  },
])

interface Sweep {
  readonly backtests: Backtests
  readonly threads: number
  runs: number
  seconds: number
  processorS: number
}

function barsPerSecond({ runs, seconds }: Sweep): number {
  return (runs * BARS) / seconds
}

/** Equal times of the processors mean that the threads do not hinder one another, whatever else the machine does. */
function rowOf(sweep: Sweep) {
  return {
    [`runs of ${BARS} bars`]: sweep.runs,
    'bars/s': Math.round(barsPerSecond(sweep)),
    "processors' ms per run": rounded((sweep.processorS * 1000) / sweep.runs),
  }
}

async function warmedUp(threads: number): Promise<Sweep> {
  const backtests = open(threads)
  const warm = Array.from({ length: WARM_RUNS * threads }, () => start(backtests, momentum(FASTEST)))
  for (const run of warm) await backtests.ended(await run)
  return { backtests, threads, runs: 0, seconds: 0, processorS: 0 }
}

async function sweep(counted: Sweep): Promise<void> {
  const { backtests, threads } = counted
  const runs = DIFFERENT * threads
  const begun = performance.now()
  const before = process.cpuUsage()
  const ids = []
  for (let run = 0; run < runs; run++) ids.push(await start(backtests, momentum(FASTEST + (run % DIFFERENT))))
  for (const id of ids) await backtests.ended(id)
  const { user, system } = process.cpuUsage(before)
  counted.runs += runs
  counted.seconds += (performance.now() - begun) / 1000
  counted.processorS += (user + system) / 1e6
}

async function timesToCancel(): Promise<number[]> {
  const backtests = open(1)
  const took: number[] = []
  for (let count = 0; count < CANCELS; count++) {
    const id = await start(backtests, { type: 'market_making', config: {} })
    while (((await backtests.find(id))?.progress ?? 0) === 0) await turn()
    const begun = performance.now()
    await backtests.cancel({ ...ACT, action: 'backtests.cancel' }, id)
    took.push((performance.now() - begun) / 1000)
  }
  await backtests.close()
  return took
}

function open(threads: number): Backtests {
  const recorded = { count: catalog.count, spanOf: catalog.spanOf, folder: join(folder, 'catalog') }
  const strategiesFolder = join(folder, 'strategies')
  return openBacktests({
    store: store.backtests,
    sweepsStore: store.sweeps,
    modulesStore: store.modules,
    recorded,
    strategiesFolder,
    threads,
  })
}

async function start(backtests: Backtests, strategy: Request['strategy']): Promise<number> {
  const period = { from: new Date(FROM).toISOString(), to: new Date(FROM + BARS * 60_000).toISOString() }
  const request = { strategy, instrument: 'BTCUSDT', interval: '1m', ...period, ...TERMS } as const
  const view = await backtests.start(ACT, request)
  if (!('row' in view)) throw new Error(view.detail)
  return view.row.id
}

function momentum(fast: number): Request['strategy'] {
  return {
    type: 'momentum',
    config: { fast_bars: fast, slow_bars: 2 * fast, threshold_bps: 0, order_value: 100 },
  }
}

async function turn(): Promise<void> {
  await once(AbortSignal.timeout(5), 'abort')
}
