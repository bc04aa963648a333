import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { removeFolder, temporaryFolder } from './busy-desk.ts'
import { conclude, median, rounded } from './figures.ts'
import { startServerProcess } from './server-process.ts'

/** How long the server takes from its start until it answers, with a million entries in its journal. */

const ENTRIES = 1_000_000
/** Just below the number at which a snapshot is taken: the most that a start after a crash has to fold. */
const TAIL_ENTRIES = 49_000
const ROUNDS = 3
const LIMIT_MS = 3000

const folder = await temporaryFolder()
const empty = join(folder, 'empty')
const closed = join(folder, 'closed')
const crashed = join(folder, 'crashed')

await mkdir(closed)
const startMs = performance.now()
await makeJournal(closed, ENTRIES - TAIL_ENTRIES, 'close')
await cp(closed, crashed, { recursive: true })
const entries = await makeJournal(crashed, TAIL_ENTRIES, 'crash')
await makeJournal(closed, TAIL_ENTRIES, 'close')
console.log(`${entries} entries, made in ${rounded((performance.now() - startMs) / 1000)} s`)

const emptyMs = await measure(empty)
const closedMs = await measure(closed)
const crashedMs = await startOnce(crashed)
await removeFolder(folder)

console.table({
  'a new journal': { 'ms to answer': Math.round(emptyMs) },
  [`${entries} entries, ended properly`]: { 'ms to answer': Math.round(closedMs) },
  [`${entries} entries, killed ${TAIL_ENTRIES} after a snapshot`]: { 'ms to answer': Math.round(crashedMs) },
})
conclude([
  { what: 'start after a proper end, ms', figure: closedMs, limit: LIMIT_MS, must: 'not exceed' },
  { what: 'start after a crash, ms', figure: crashedMs, limit: LIMIT_MS, must: 'not exceed' },
])

async function makeJournal(dataFolder: string, entries: number, end: 'close' | 'crash'): Promise<number> {
  const program = join(import.meta.dirname, 'make-journal.ts')
  const child = spawn(process.execPath, [program, dataFolder, String(entries), end], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the journal was not made: exit code ${code}`)
  return Number(said)
}

async function measure(dataFolder: string): Promise<number> {
  await startOnce(dataFolder)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await startOnce(dataFolder))
  return median(times)
}

async function startOnce(dataFolder: string): Promise<number> {
  const started = performance.now()
  // As `npm start` does, so that a start after the first finds the server compiled.
  const server = await startServerProcess(dataFolder, { NODE_COMPILE_CACHE: join(folder, 'compiled') })
  await fetch(`${server.url}/health`)
  const elapsedMs = performance.now() - started
  await server.end('SIGTERM')
  return elapsedMs
}
