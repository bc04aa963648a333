import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { median } from './figures.ts'
import { Api } from './killing/api.ts'
import { type Chance, createChance } from './killing/chance.ts'
import { checkAfterStart, checkWholeHistory } from './killing/checks.ts'
import { createClient } from './killing/client.ts'
import { checkJournal } from './killing/journal-check.ts'
import { createModel } from './killing/model.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/**
 * Kills the server again and again while clients trade on it, and compares each start with what was acknowledged:
 * `node bench/kill.ts 300`, and a seed as the second word to repeat a run.
 */

const CLIENTS = 4
/** So many acts of one client in a round at most: fewer than a list shows. */
const ACTS = 60
const ROUND_MAX_MS = 500
/** So often a round ends with a proper stop, so that snapshots and the archive have their part. */
const STOP_EVERY = 10
const REPORT_EVERY = 50

const kills = Number(process.argv[2] ?? 300)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
console.log(`seed ${seed}`)
const chance = createChance(seed)
const model = createModel()
const clients = Array.from({ length: CLIENTS }, (_, index) =>
  createClient(model, createChance(seed + index + 1), index === 0),
)
const folder = await temporaryFolder()
const dataFolder = join(folder, 'data')
const compiled = process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled')
const startsMs: number[] = []
let killed = 0
let stops = 0

// A killed server leaves nothing for the compiler; this one does, and the others start faster by it.
if (process.env.NODE_COMPILE_CACHE === undefined) await (await start()).end('SIGTERM')
while (killed < kills && model.wrong.length === 0) {
  const server = await start()
  const api = new Api(server.url)
  await checkAfterStart(api, model)
  const signal = (killed + stops + 1) % STOP_EVERY === 0 ? 'SIGTERM' : 'SIGKILL'
  const acting = clients.map((client) => client.actUntilLost(api, ACTS))
  await endAtRandom(server, signal, chance)
  await Promise.all(acting)
  if (signal === 'SIGKILL') killed += 1
  else stops += 1
  if (killed % REPORT_EVERY === 0 && signal === 'SIGKILL')
    console.log(`${killed} kills, ${model.orders.length} orders`)
}
const server = await start()
const api = new Api(server.url)
await checkAfterStart(api, model)
await checkWholeHistory(api, model)
await server.end('SIGTERM')
const journal = await checkJournal(dataFolder, model)
if (model.wrong.length === 0) await removeFolder(folder)

console.table({
  'kills under load': killed,
  'proper stops under load': stops,
  'commands acknowledged': model.acknowledged,
  'commands the server died under': model.unknown,
  orders: model.orders.length,
  fills: journal.fills,
  'journal entries': journal.entries,
  'of them archived': journal.archived,
  'acts in the audit log': journal.audited,
  'start until it answers, ms': Math.round(median(startsMs)),
  'lost, doubled or otherwise': model.wrong.length,
})
for (const sentence of model.wrong.slice(0, 20)) console.log(`WRONG: ${sentence}`)
if (model.wrong.length > 0) console.log(`The data folder is kept: ${folder}`)
process.exitCode = model.wrong.length === 0 ? 0 : 1

async function start(): Promise<ServerProcess> {
  const startMs = performance.now()
  const server = await startServerProcess(dataFolder, { NODE_COMPILE_CACHE: compiled })
  startsMs.push(performance.now() - startMs)
  return server
}

async function endAtRandom(
  server: ServerProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  chance: Chance,
): Promise<void> {
  await setTimeout(chance.below(ROUND_MAX_MS))
  await server.end(signal)
}
