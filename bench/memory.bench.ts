import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type BusyDesk, openBusyDesk, removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, rounded } from './figures.ts'

/** What the desk holds in memory after a while and after five times as long: lists are bounded, the rest is in files. */

const FIRST = { ticks: 1_000_000, orders: 40_000 }
const FACTOR = 5
const GROWTH_LIMIT = 1.1
const SLICES = 40

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const folder = await temporaryFolder()
const busy = await openBusyDesk(folder)
await live(busy, 1)
const first = measure()
await live(busy, FACTOR - 1)
const later = measure()
const entries = busy.desk.seq
await busy.close()
await removeFolder(folder)

console.table({
  [`${FIRST.ticks} ticks, ${FIRST.orders} orders`]: first,
  [`${FIRST.ticks * FACTOR} ticks, ${FIRST.orders * FACTOR} orders`]: later,
})
console.log(`${entries} entries were written`)
conclude([
  {
    what: 'heap later, as a multiple of the heap before',
    figure: later['heap MB'] / first['heap MB'],
    limit: GROWTH_LIMIT,
    must: 'not exceed',
  },
])

async function live(busy: BusyDesk, times: number): Promise<void> {
  for (let slice = 0; slice < SLICES * times; slice++) {
    busy.pass(FIRST.ticks / SLICES)
    await busy.trade(FIRST.orders / SLICES)
  }
  await busy.maintenance.idle()
}

function measure() {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    'heap MB': rounded((heapUsed + external) / 1e6),
    'whole process MB': rounded(rss / 1e6),
  }
}
