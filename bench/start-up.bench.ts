import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { median } from './figures.ts'

/** How long a start takes until the server answers, beside the least that Node itself can do. */

const ROUNDS = 5
const START_LIMIT_MS = 3000
const ROOT = join(import.meta.dirname, '..')

const BARE_SERVER = `
  const server = require('node:http').createServer((_, response) => response.end('ok'))
  server.listen(0, '127.0.0.1', () => console.log('http://localhost:' + server.address().port))
`

const dataFolder = await mkdtemp(join(tmpdir(), 'binnacle-start-'))
const environment = {
  ...process.env,
  BINNACLE_DATA: dataFolder,
  BINNACLE_TRADING_PORT: '0',
  BINNACLE_ADMIN_PORT: '0',
  BINNACLE_DATABASE_PORT: '0',
  BINNACLE_HISTORY_DAYS: '0',
}

const bareMs = await measure(['-e', BARE_SERVER])
// The first start creates the data folder and builds the site; the figure is about those after it.
await startOnce(['tools/start.mjs'])
const startMs = await measure(['tools/start.mjs'])
await rm(dataFolder, { recursive: true })

console.table({
  'bare Node server': { 'ms to answer': Math.round(bareMs), ratio: 1 },
  'second npm start': { 'ms to answer': Math.round(startMs), ratio: Number((startMs / bareMs).toFixed(1)) },
})
console.log(`limit ${START_LIMIT_MS} ms: ${startMs <= START_LIMIT_MS ? 'kept' : 'NOT KEPT'}`)
process.exitCode = startMs <= START_LIMIT_MS ? 0 : 1

async function measure(program: string[]): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await startOnce(program))
  return median(times)
}

async function startOnce(program: string[]): Promise<number> {
  const startMs = performance.now()
  const child = spawn(process.execPath, program, {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await addressFrom(child.stdout)
  await fetch(`${address}/health`)
  const elapsedMs = performance.now() - startMs
  child.kill('SIGTERM')
  await once(child, 'exit')
  return elapsedMs
}

async function addressFrom(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /http:\/\/localhost:\d+/.exec(line)?.[0]
    if (address) return address
  }
  throw new Error('it ended before it said where it listens')
}
