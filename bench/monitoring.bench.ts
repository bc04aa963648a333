import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openMetrics, openSamples, parseConfig, startSampler, startServer } from '@binnacle/server'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, median, rounded } from './figures.ts'

/**
 * What measuring and recording once a second costs, in processor time of all threads: the same idle process with and
 * without it, in turns, and the idle server beside it. The processor time that Monitoring shows is compared with the
 * kernel's.
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
const { percent: whole, difference } = await compareWithKernel(server.ports.trading)
await server.close(0)
await removeFolder(folder)

interface Shown {
  as_of: string
  cpu: { process_percent: number; cores: number }
}

/** The processor time that Monitoring shows, second by second, beside the kernel's over the same time. */
async function compareWithKernel(port: number): Promise<{ percent: number; difference: number }> {
  const { as_of: some } = await nextReading(port, '')
  // From the end of one measured second to the end of another; a second of a busy machine may be a longer one.
  const { as_of: first } = await nextReading(port, some)
  const before = { kernel: kernelSeconds(), at: Date.parse(first) }
  let [shown, elapsed] = [0, 0]
  for (let last = first, seconds = 0; seconds < SECONDS; seconds++) {
    const { as_of, cpu } = await nextReading(port, last)
    shown += (cpu.process_percent / 100) * cpu.cores * ((Date.parse(as_of) - Date.parse(last)) / 1000)
    last = as_of
    elapsed = (Date.parse(last) - before.at) / 1000
  }
  const used = kernelSeconds() - before.kernel
  return { percent: (used / elapsed) * 100, difference: Math.abs(shown / used - 1) * 100 }
}

/** The first reading after the one that is named. */
async function nextReading(port: number, after: string): Promise<Shown> {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/api/admin/monitoring`)
    const reading = (await reply.json()) as Shown
    if (reading.as_of !== after) return reading
    await setTimeout(5)
  }
}

/** Of all threads of this process, in hundredths as the kernel counts. */
function kernelSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

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
  { what: 'CPU shown, % off the kernel', figure: difference, limit: 5, must: 'not exceed' },
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
