import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openMetrics, openSamples, parseConfig, startSampler, startServer } from '@binnacle/server'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, median, rounded } from './figures.ts'

/**
 * What measuring and recording once a second costs, in processor time of all threads: the same idle process with and
 * without it, in turns, and the idle server beside it.
 */

const ROUNDS = 3
const SECONDS = Number(process.env.BINNACLE_BENCH_SECONDS ?? 20)
const PERCENT_LIMIT = 1
/** As many as the server records. */
const RATES = 12

const folder = await temporaryFolder()
const samples = await openSamples(join(folder, 'samples.sqlite'))
const without: number[] = []
const beside: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  without.push(await percentOfCore())
  const metrics = openMetrics({ dataFolder: folder, samples, rates: rates(), gauges: [] })
  const sampler = startSampler({ samples, sources: [metrics.source] })
  beside.push(await percentOfCore())
  sampler.close()
  metrics.close()
}
await samples.close()
const cost = Math.max(0, median(beside) - median(without))

const server = await startServer(
  parseConfig({
    BINNACLE_DATA: join(folder, 'data'),
    BINNACLE_SITE: 'none',
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '0',
    BINNACLE_DATABASE_PORT: '0',
    BINNACLE_HISTORY_DAYS: '0',
  }),
)
await setTimeout(SECONDS * 500)
const whole = await percentOfCore()
await server.close(0)
await removeFolder(folder)

console.table({
  'idle process': { '% of a core': rounded(median(without)) },
  'measuring and recording': { '% of a core': rounded(cost) },
  'idle server with it': { '% of a core': rounded(whole) },
})
conclude([
  { what: 'cost of measuring, % of a core', figure: cost, limit: PERCENT_LIMIT, must: 'not exceed' },
  {
    what: 'server with it, as a multiple of without',
    figure: whole / (whole - cost),
    limit: 1.25,
    must: 'not exceed',
  },
])

async function percentOfCore(): Promise<number> {
  const before = process.cpuUsage()
  await setTimeout(SECONDS * 1000)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1e6 / SECONDS) * 100
}

function rates() {
  let counted = 0
  return Array.from({ length: RATES }, (_, index) => ({
    name: `Rate ${index}`,
    unit: 'events/s',
    series: `rate.bench-${index}`,
    metric: `binnacle_bench_${index}_total`,
    help: 'Counted by the measurement.',
    total: () => (counted += 1),
  }))
}
