import { parentPort, workerData } from 'node:worker_threads'
import { createRandom, createSimulatedMarket, instantFromMs, standardInstruments } from '@binnacle/engine'
import { readMarketState } from '#trading/runtime/market-file.ts'
import { openCatalog } from './catalog.ts'
import { generateMissingDays } from './generate-history.ts'
import type { HistoryWorkerOptions } from './history.ts'

/** History's own thread, so that the server serves while it is generated; any message means stop. */

if (parentPort === null) throw new Error('History is generated in a worker thread')
const port = parentPort
// The host starts this file with exactly these options.
const { folder, planFile, marketFile, days, until, seed } = workerData as HistoryWorkerOptions

const instruments = standardInstruments()
const at = instantFromMs(until)
const opening = () => createSimulatedMarket({ instruments, random: createRandom(seed), at }).state()
let isStopped = false
port.once('message', () => {
  isStopped = true
})

const catalog = await openCatalog(folder, instruments)
await generateMissingDays({
  catalog,
  instruments,
  planFile,
  seed,
  days,
  until: at,
  market: readMarketState(marketFile) ?? opening(),
  onProgress: (progress) => port.postMessage(progress),
  isStopped: () => isStopped,
})
catalog.close()
port.close()
