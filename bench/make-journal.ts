import { openBusyDesk } from './busy-desk.ts'

/** Trades in a data folder until its journal has so many entries more, and then closes it or dies: folder, entries, end. */

/** A market order leads to three: placed, accepted, filled. */
const ENTRIES_PER_ORDER = 3

const [folder = '', entries = '0', end] = process.argv.slice(2)
const busy = await openBusyDesk(folder)
const wanted = busy.desk.seq + Number(entries)
for (let missing = Number(entries); missing >= ENTRIES_PER_ORDER; missing = wanted - busy.desk.seq) {
  // Market orders need a market.
  busy.pass(50)
  await busy.trade(Math.min(10_000, Math.floor(missing / ENTRIES_PER_ORDER)))
}
await busy.maintenance.idle()
console.log(busy.desk.seq)
if (end === 'crash') process.kill(process.pid, 'SIGKILL')
await busy.close()
